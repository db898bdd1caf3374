package dev.holdfast.it.bench;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code it/bench ledger}. */
@Command(
        name = "ledger",
        description = "Measures what the ledger costs the operator with 5,000 nodes, 150,000 pods and 5,000 running"
                + " clocks, and how soon a standby goes on after the leader was killed or has ended. About 45 minutes"
                + " and 20 GiB of memory by default; with --small about 15 minutes. Nothing else should run on the"
                + " machine meanwhile.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class LedgerCommand implements Callable<Integer> {
    private static final int SMALL_NODES = 1_000;
    private static final int SMALL_PODS = 30_000;
    private static final int SMALL_CLOCKS = 1_000;
    private static final int SMALL_ROUNDS = 2;
    private static final int SMALL_MINUTES = 1;
    private static final int SMALL_CHURN = 30;

    @Option(
            names = "--small",
            description = "1,000 nodes, 30,000 pods and 1,000 clocks, 2 rounds, short periods: for daily use. All other"
                    + " options except --seed are then ignored.")
    private boolean small;

    @Option(names = "--nodes", defaultValue = "5000", description = "Nodes. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--pods", defaultValue = "150000", description = "Pods. Default: ${DEFAULT-VALUE}.")
    private int pods;

    @Option(
            names = "--clocks",
            defaultValue = "5000",
            description = "Violations of an enforced rule, whose forgiveness is a day. Default: ${DEFAULT-VALUE}.")
    private int clocks;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            description = "Starts with each kind of ledger, and leaders that are killed and that end gracefully."
                    + " Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--minutes",
            defaultValue = "2",
            description = "Minutes without a change in which writes are counted, once without and once with clocks."
                    + " Default: ${DEFAULT-VALUE}.")
    private double minutes;

    @Option(
            names = "--churn-seconds",
            defaultValue = "120",
            description = "Seconds in which about 20 violations a second begin and heal. Default: ${DEFAULT-VALUE}.")
    private int churnSeconds;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed for the nodes of pods and the choice of changes. Default: ${DEFAULT-VALUE}.")
    private long seed;

    private final Path root;
    private final InstantSource clock;

    LedgerCommand(Path root, InstantSource clock) {
        this.root = root;
        this.clock = clock;
    }

    private LedgerOptions options() {
        return small
                ? new LedgerOptions(
                        SMALL_NODES, SMALL_PODS, SMALL_CLOCKS, SMALL_ROUNDS, SMALL_MINUTES, SMALL_CHURN, seed)
                : new LedgerOptions(nodes, pods, clocks, rounds, minutes, churnSeconds, seed);
    }

    @Override
    public Integer call() throws InterruptedException {
        BenchRun bench = () -> new LedgerBench(root, options(), clock, new Progress(System.err, clock)).run();
        return bench.print(root);
    }
}
