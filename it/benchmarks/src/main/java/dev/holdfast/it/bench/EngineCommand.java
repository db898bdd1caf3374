package dev.holdfast.it.bench;

import dev.holdfast.it.bench.engine.EngineBench;
import dev.holdfast.it.bench.engine.EngineOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reads the options of {@code it/bench engine}, runs it, and says what came of it. */
@Command(
        name = "engine",
        description =
                "Measures the incremental index, and the engine on it, with JMH and JOL: what events of all kinds take"
                        + " in a made-up cluster, what it keeps for a pod, and whether it forgets what has gone. No"
                        + " cluster is needed. About eight minutes by default. Nothing else should run on the machine"
                        + " meanwhile.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class EngineCommand implements Callable<Integer> {
    @Option(names = "--pods", defaultValue = "150000", description = "Pods. Default: ${DEFAULT-VALUE}.")
    private int pods;

    @Option(names = "--nodes", defaultValue = "5000", description = "Nodes. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(
            names = "--only",
            defaultValue = "",
            description = "Times only what has this in its name, and counts no heap.")
    private String only = "";

    @Option(
            names = "--forks",
            defaultValue = "1",
            description = "JVMs for each kind of event, one after the other. Default: ${DEFAULT-VALUE}.")
    private int forks;

    @Option(
            names = "--iterations",
            defaultValue = "5",
            description = "Iterations in each of these. Default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(
            names = "--iteration-millis",
            defaultValue = "1000",
            description = "How long each iteration is. Default: ${DEFAULT-VALUE}.")
    private int iterationMillis;

    @Option(
            names = "--events",
            defaultValue = "10000000",
            description = "Events with labels that never come again. Default: ${DEFAULT-VALUE}.")
    private long events;

    @Option(names = "--million", description = "Measures 1,000,000 pods on 100,000 nodes too.")
    private boolean million;

    @Option(names = "--seed", defaultValue = "1", description = "Of the made-up cluster. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--quick", description = "Takes all figures in seconds, to see that they can be taken.")
    private boolean quick;

    private final Path root;
    private final InstantSource clock;

    EngineCommand(Path root, InstantSource clock) {
        this.root = root;
        this.clock = clock;
    }

    private EngineOptions options() {
        return quick
                ? EngineOptions.quick(only, seed)
                : new EngineOptions(pods, nodes, only, forks, iterations, iterationMillis, events, million, seed);
    }

    @Override
    public Integer call() throws InterruptedException {
        Progress progress = new Progress(System.err, clock);
        BenchRun bench = new EngineBench(root, options(), clock, progress::say)::run;
        return bench.print(root);
    }
}
