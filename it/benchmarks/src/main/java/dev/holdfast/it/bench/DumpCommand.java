package dev.holdfast.it.bench;

import dev.holdfast.it.bench.dump.DumpBench;
import dev.holdfast.it.bench.dump.DumpOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code it/bench dump}. */
@Command(
        name = "dump",
        description =
                "Measures holdfast check on a file of 1.2 GB, which has 150,000 pods as kubectl prints them, and on a"
                    + " small one: time and memory of the whole process. No cluster is needed. About three minutes.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class DumpCommand implements Callable<Integer> {
    @Option(names = "--pods", defaultValue = "150000", description = "Pods. Default: ${DEFAULT-VALUE}.")
    private int pods;

    @Option(names = "--nodes", defaultValue = "5000", description = "Nodes. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--rounds", defaultValue = "5", description = "Runs of each kind. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    private final Path root;
    private final InstantSource clock;

    DumpCommand(Path root, InstantSource clock) {
        this.root = root;
        this.clock = clock;
    }

    @Override
    public Integer call() throws InterruptedException {
        Progress progress = new Progress(System.err, clock);
        BenchRun bench = new DumpBench(root, new DumpOptions(pods, nodes, rounds), clock, progress::say)::run;
        return bench.print(root);
    }
}
