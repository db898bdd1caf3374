package dev.holdfast.it.bench;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code it/bench scale}. */
@Command(
        name = "scale",
        description = "Compares the operator with the descheduler and curl on a kube-apiserver with 5,000 nodes and"
                + " 150,000 pods: the time to evaluate all pods, the memory, the load on kube-apiserver,"
                + " and the time to report a change. About 20 minutes and 20 GiB of memory by default; with --small"
                + " under five minutes. Nothing else should run on the machine meanwhile.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class ScaleCommand implements Callable<Integer> {
    private static final int SMALL_NODES = 1_000;
    private static final int SMALL_PODS = 30_000;
    private static final int SMALL_ROUNDS = 3;
    private static final int SMALL_PLANTED = 100;
    private static final int SMALL_STARTS = 3;
    private static final int SMALL_SAMPLES = 200;
    private static final int SMALL_CHURN = 15;

    @Option(
            names = "--small",
            description =
                    "1,000 nodes and 30,000 pods, 3 rounds, no quiet minutes: for daily use. All other options except"
                            + " --without-descheduler and --seed are then ignored.")
    private boolean small;

    @Option(names = "--nodes", defaultValue = "5000", description = "Nodes. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--pods", defaultValue = "150000", description = "Pods. Default: ${DEFAULT-VALUE}.")
    private int pods;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            description = "Rounds; in each, curl, the operator and the descheduler read everything once. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--planted",
            defaultValue = "200",
            description = "Changes that break rules before the first round. Default: ${DEFAULT-VALUE}.")
    private int planted;

    @Option(
            names = "--starts",
            defaultValue = "5",
            description = "Starts of the operator on an empty cluster. Default: ${DEFAULT-VALUE}.")
    private int starts;

    @Option(
            names = "--samples",
            defaultValue = "500",
            description = "Changes that break a rule, 20 a second including those that heal it; then twice as many,"
                    + " 200 a second."
                    + " Default: ${DEFAULT-VALUE}.")
    private int samples;

    @Option(
            names = "--churn-seconds",
            defaultValue = "60",
            description = "Seconds at each rate of events that break nothing; the CPU time is measured. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int churnSeconds;

    @Option(
            names = "--quiet-minutes",
            defaultValue = "1",
            description = "Minutes without a change, in which requests are counted; 0 skips them. Default:"
                    + " ${DEFAULT-VALUE}.")
    private double quietMinutes;

    @Option(names = "--without-descheduler", description = "Skips the descheduler.")
    private boolean withoutPeer;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed for the nodes of pods and the order of changes. Default: ${DEFAULT-VALUE}.")
    private long seed;

    private final Path root;
    private final InstantSource clock;

    ScaleCommand(Path root, InstantSource clock) {
        this.root = root;
        this.clock = clock;
    }

    private ScaleOptions options() {
        return small
                ? new ScaleOptions(
                        SMALL_NODES,
                        SMALL_PODS,
                        SMALL_ROUNDS,
                        SMALL_PLANTED,
                        SMALL_STARTS,
                        SMALL_SAMPLES,
                        SMALL_CHURN,
                        0,
                        !withoutPeer,
                        seed)
                : new ScaleOptions(
                        nodes, pods, rounds, planted, starts, samples, churnSeconds, quietMinutes, !withoutPeer, seed);
    }

    @Override
    public Integer call() throws InterruptedException {
        BenchRun bench = new ScaleBench(root, options(), clock, new Progress(System.err, clock))::run;
        return bench.print(root);
    }
}
