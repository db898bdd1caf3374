package dev.holdfast.it.bench;

import dev.holdfast.it.bench.engine.EngineBench;
import dev.holdfast.it.bench.engine.EngineOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code it/bench engine}. */
@Command(
        name = "engine",
        description = "Measures the incremental index and the engine with JMH and JOL: the cost of events of all kinds"
                + " in a generated cluster, the heap for each pod, and whether deleted objects leave anything"
                + " behind. No"
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
            description = "Measures only scenes whose name contains this text, and no heap.")
    private String only = "";

    @Option(
            names = "--forks",
            defaultValue = "1",
            description = "JVMs for each scene, one after the other. Default: ${DEFAULT-VALUE}.")
    private int forks;

    @Option(
            names = "--iterations",
            defaultValue = "5",
            description = "Iterations in each JVM. Default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(
            names = "--iteration-millis",
            defaultValue = "1000",
            description = "Length of each iteration. Default: ${DEFAULT-VALUE}.")
    private int iterationMillis;

    @Option(
            names = "--events",
            defaultValue = "10000000",
            description = "Events with labels that never occur twice. Default: ${DEFAULT-VALUE}.")
    private long events;

    @Option(names = "--million", description = "Also measures 1,000,000 pods on 100,000 nodes.")
    private boolean million;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of the generated cluster. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--quick", description = "Takes all figures within seconds, to test the bench itself.")
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
