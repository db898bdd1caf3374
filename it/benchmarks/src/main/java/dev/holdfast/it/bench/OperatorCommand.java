package dev.holdfast.it.bench;

import dev.holdfast.it.bench.report.OperatorBenchOptions;
import dev.holdfast.it.bench.report.OperatorReport;
import dev.holdfast.it.bench.report.ReportTable;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reads the options of {@code it/bench operator}, runs it, and says what came of it. */
@Command(
        name = "operator",
        description = "Measures the operator on a local control plane, and the descheduler beside it: start, memory,"
                + " how soon a violation is recorded, requests in quiet minutes. About 20 minutes by default. Nothing"
                + " else should run on the machine meanwhile.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class OperatorCommand implements Callable<Integer> {
    @Option(names = "--nodes", defaultValue = "100", description = "Nodes. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--pods", defaultValue = "3000", description = "Pods. Default: ${DEFAULT-VALUE}.")
    private int pods;

    @Option(
            names = "--starts",
            defaultValue = "7",
            description = "Starts of the operator on an empty cluster. Default: ${DEFAULT-VALUE}.")
    private int starts;

    @Option(
            names = "--samples",
            defaultValue = "500",
            description = "Changes that break a rule; each is healed half a second later. Default: ${DEFAULT-VALUE}.")
    private int samples;

    @Option(
            names = "--per-second",
            defaultValue = "20",
            description = "Changes a second, those that heal counted too. Default: ${DEFAULT-VALUE}.")
    private double perSecond;

    @Option(
            names = "--quiet-minutes",
            defaultValue = "10",
            description = "Minutes without a change, in which requests are counted. Default: ${DEFAULT-VALUE}.")
    private double quietMinutes;

    @Option(names = "--without-descheduler", description = "Leaves the descheduler out.")
    private boolean withoutPeer;

    @Option(
            names = "--descheduler-samples",
            defaultValue = "20",
            description = "As --samples, for the descheduler. Default: ${DEFAULT-VALUE}.")
    private int peerSamples;

    @Option(
            names = "--descheduler-quiet-minutes",
            defaultValue = "2",
            description = "As --quiet-minutes, for the descheduler. Default: ${DEFAULT-VALUE}.")
    private double peerQuietMinutes;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Of the order of the changes. Default: ${DEFAULT-VALUE}.")
    private long seed;

    private final Path root;
    private final InstantSource clock;

    OperatorCommand(Path root, InstantSource clock) {
        this.root = root;
        this.clock = clock;
    }

    private OperatorBenchOptions options() {
        return new OperatorBenchOptions(
                nodes,
                pods,
                starts,
                samples,
                perSecond,
                quietMinutes,
                !withoutPeer,
                peerSamples,
                peerQuietMinutes,
                seed);
    }

    @Override
    public Integer call() throws InterruptedException {
        BenchRun<OperatorReport> bench =
                new OperatorBench(root, options(), clock, new Progress(System.err, clock))::run;
        return bench.print(root.resolve("it/target/bench/operator.json"), ReportTable::of);
    }
}
