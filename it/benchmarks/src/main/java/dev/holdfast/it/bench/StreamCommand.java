package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.WatchRecorder;
import dev.holdfast.it.bench.engine.StreamBench;
import dev.holdfast.it.bench.engine.StreamOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code it/bench stream}. */
@Command(
        name = "stream",
        description = "Measures the cost of events of a recorded pod watch on one core, from the bytes that"
                + " kube-apiserver sends to the verdicts: the decoder alone, the feed with the index, and the feed with"
                + " the engine. No cluster is needed. About three minutes by default. Nothing else should run on the"
                + " machine meanwhile.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class StreamCommand implements Callable<Integer> {
    @Option(names = "--pods", defaultValue = "150000", description = "Pods. Default: ${DEFAULT-VALUE}.")
    private int pods;

    @Option(names = "--nodes", defaultValue = "5000", description = "Nodes. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--events", defaultValue = "100000", description = "Events per round. Default: ${DEFAULT-VALUE}.")
    private int events;

    @Option(
            names = "--warmups",
            defaultValue = "5",
            description = "Warm-up rounds of each kind. Default: ${DEFAULT-VALUE}.")
    private int warmups;

    @Option(
            names = "--rounds",
            defaultValue = "7",
            description = "Measured rounds of each kind. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the events. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--quick", description = "Takes all figures within seconds, to test the bench itself.")
    private boolean quick;

    @Option(
            names = "--record",
            description = "Measures nothing: starts a control plane and records its API server's watch events for a"
                    + " pod of each role into the sources of the bench.")
    private boolean record;

    private final Path root;
    private final InstantSource clock;

    StreamCommand(Path root, InstantSource clock) {
        this.root = root;
        this.clock = clock;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        if (record) {
            WatchRecorder.record(root.resolve("it/benchmarks/src/main/resources/dev/holdfast/it/bench/cluster"));
            return 0;
        }
        Progress progress = new Progress(System.err, clock);
        StreamOptions options =
                quick ? StreamOptions.quick(seed) : new StreamOptions(pods, nodes, events, warmups, rounds, seed);
        BenchRun bench = new StreamBench(root, options, clock, progress::say)::run;
        return bench.print(root);
    }
}
