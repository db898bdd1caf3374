package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Sample;
import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * All measurements of {@code it/bench scale}, and the figures with their targets. The targets for memory and time apply
 * to 150,000 pods.
 *
 * @param podBytes the average size of a pod in protobuf
 * @param violating how many pods violated a rule during the rounds
 * @param startSeconds how long each start of the operator took in an empty cluster, from the start of the process to
 * the first 200 from /readyz
 * @param afterRelist the operator's memory and CPU time after it had relisted everything because kube-apiserver was
 * restarted
 * @param usual the detection of label changes at 20 requests a second, the usual rate for 3,000 pods
 * @param fast the detection of label changes at 200 requests a second
 * @param churn the operator's CPU use during events that break no rule, one element for each rate of events
 * @param allViolating the operator while every pod violates a rule
 * @param quiet the operator's requests during the quiet minutes; none if they were skipped
 */
record ScaleMeasurements(
        double podBytes,
        int violating,
        List<Double> startSeconds,
        List<Round> rounds,
        ProcessFigures afterRelist,
        List<Sample> usual,
        List<Sample> fast,
        List<ChurnCost> churn,
        AllViolating allViolating,
        List<ApiCalls> quiet) {
    private static final double MIB = 1 << 20;
    private static final double MILLIS = 1_000;
    private static final double PERCENT = 100;
    private static final String READS = "reads";

    ScaleMeasurements {
        startSeconds = List.copyOf(startSeconds);
        rounds = List.copyOf(rounds);
        usual = List.copyOf(usual);
        fast = List.copyOf(fast);
        churn = List.copyOf(churn);
        quiet = List.copyOf(quiet);
    }

    /**
     * One round: curl, the operator and the descheduler each read the cluster once.
     *
     * @param peer the read by the descheduler; an empty list if the descheduler was skipped
     */
    record Round(CurlRead floor, ClusterRead holdfast, List<ClusterRead> peer) {
        Round {
            peer = List.copyOf(peer);
        }
    }

    /**
     * One list of all pods by curl, which discards them: the lower bound for any client.
     *
     * @param serverCpuSeconds the CPU time of kube-apiserver during the list
     */
    record CurlRead(double seconds, long bytes, double serverCpuSeconds) {}

    /**
     * One complete read of the cluster by the operator or the descheduler, measured from the start of its process.
     *
     * @param seconds the duration; for the operator, until the policy's status counted all pods and all violations; for
     * the descheduler, until it ended
     * @param peakMiB the process's peak resident memory
     * @param cpuSeconds the process's CPU time
     * @param serverCpuSeconds the CPU time of kube-apiserver during the read
     * @param found how many of the planned violations were found. For the operator it is the number of violating pods.
     * The descheduler stops at the first violating pod of a node, so for it these nodes are counted
     * @param unplanted how many violations were found that the bench had not planned
     */
    record ClusterRead(
            double seconds, double peakMiB, double cpuSeconds, double serverCpuSeconds, int found, int unplanted) {}

    /**
     * The CPU use of the operator while pods and nodes changed without breaking a rule.
     *
     * @param cores the operator's CPU seconds per second
     */
    record ChurnCost(double podsPerSecond, double nodesPerSecond, double seconds, double cores) {}

    /**
     * The operator while every pod violates a rule that no node satisfies.
     *
     * @param violations the number of violations, all of them due
     * @param peakMiB the process's peak resident memory from its start until a minute after they were due
     * @param limitMiB the chart's memory limit
     */
    record AllViolating(int violations, double peakMiB, double limitMiB) {}

    /** {@return all figures, in the order of the report} */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>(reads());
        figures.addAll(changes("20 a second", usual));
        figures.addAll(changes("200 a second", fast));
        figures.add(detection("20 a second", usual).against(Target.atMost(10, 2)));
        figures.add(detection("200 a second", fast).against(Target.atMost(50, 10)));
        double recorded = summary(usual, Sample::recorded).p50() / MILLIS;
        peer(ClusterRead::seconds)
                .forEach(run ->
                        figures.add(ratio("P6", "descheduler run relative to a recorded change, medians", run, recorded)
                                .against(Target.atLeast(100, 1_000))));
        figures.addAll(start());
        churn.forEach(cost -> figures.add(churn(cost)));
        figures.add(ratio(
                        "P14",
                        "kube-apiserver's CPU for a start relative to one list",
                        median(holdfast(), ClusterRead::serverCpuSeconds),
                        median(curl(), CurlRead::serverCpuSeconds))
                .against(Target.atMost(1.2, 1.2)));
        quiet.forEach(calls -> figures.add(quiet(calls)));
        String all = String.format(
                Locale.ROOT, "peak of resident memory, %,d violations at once", allViolating.violations());
        figures.add(Figure.of("R17", all, allViolating.peakMiB(), Unit.MEBIBYTES)
                .against(Target.atMost(allViolating.limitMiB())));
        figures.add(Figure.median("P15", "start to ready, empty cluster, median", startSeconds, Unit.SECONDS)
                .against(Target.atMost(3, 1.2)));
        return figures;
    }

    private List<Figure> reads() {
        String listed = Unit.MEBIBYTES.print(curl().getFirst().bytes() / MIB);
        List<Figure> figures = new ArrayList<>(List.of(
                Figure.of(READS, "a pod in protobuf", podBytes, Unit.BYTES),
                Figure.of(READS, "pods in violation", violating, Unit.COUNT),
                Figure.median(READS, "curl lists all pods", curl(), CurlRead::seconds, Unit.SECONDS)
                        .noting(listed),
                Figure.median(READS, "curl, CPU of kube-apiserver", curl(), CurlRead::serverCpuSeconds, Unit.SECONDS)));
        figures.addAll(reads("Holdfast", "pods in violation found", holdfast()));
        if (!peer().isEmpty()) {
            figures.addAll(reads("descheduler", "nodes with such pods found", peer()));
        }
        return figures;
    }

    private static List<Figure> reads(String reader, String found, List<ClusterRead> reads) {
        String by = reader + ", ";
        return List.of(
                Figure.median(READS, by + "whole cluster", reads, ClusterRead::seconds, Unit.SECONDS),
                Figure.median(READS, by + "CPU", reads, ClusterRead::cpuSeconds, Unit.SECONDS),
                Figure.median(READS, by + "CPU of kube-apiserver", reads, ClusterRead::serverCpuSeconds, Unit.SECONDS),
                Figure.median(READS, by + "peak of resident memory", reads, ClusterRead::peakMiB, Unit.MEBIBYTES),
                Figure.median(READS, by + found, reads, ClusterRead::found, Unit.COUNT),
                Figure.median(READS, by + "others found", reads, ClusterRead::unplanted, Unit.COUNT));
    }

    private static List<Figure> changes(String pace, List<Sample> samples) {
        int violations = samples.stream()
                .filter(sample -> sample.step() == ChangeStep.BREAK)
                .mapToInt(Sample::violations)
                .sum();
        Summary watched = summary(samples, Sample::watched);
        Summary recorded = summary(samples, Sample::recorded);
        String counts = String.format(Locale.ROOT, "%,d changes, %,d violations", samples.size() / 2, violations);
        return List.of(
                latency("changes", "change to a bare watch, " + pace + ", median", watched.p50(), watched)
                        .noting(counts),
                latency("changes", "change to recorded, " + pace + ", median", recorded.p50(), recorded));
    }

    private static Figure detection(String pace, List<Sample> samples) {
        Summary above = summary(samples, Sample::aboveWatch);
        return latency("P5", "change to recorded above a bare watch, " + pace + ", p99", above.p99(), above);
    }

    /** {@return the summary of one time of the changes that break rules} */
    private static Summary summary(List<Sample> samples, ToDoubleFunction<Sample> millis) {
        return Summary.of(samples.stream()
                .filter(sample -> sample.step() == ChangeStep.BREAK)
                .map(millis::applyAsDouble)
                .toList());
    }

    private static Figure latency(String section, String name, double millis, Summary summary) {
        return Figure.of(section, name, millis, Unit.MILLISECONDS)
                .noting(String.format(
                        Locale.ROOT,
                        "p50 %.1f, p90 %.1f, p99 %.1f, max %.1f ms",
                        summary.p50(),
                        summary.p90(),
                        summary.p99(),
                        summary.max()));
    }

    private List<Figure> start() {
        Figure first = Figure.median(
                "P7", "start to first complete evaluation, median", holdfast(), ClusterRead::seconds, Unit.SECONDS);
        double floor = median(curl(), CurlRead::seconds);
        double peak = Math.max(
                holdfast().stream().mapToDouble(ClusterRead::peakMiB).max().orElseThrow(), afterRelist.peakMiB());
        List<Figure> figures = new ArrayList<>();
        figures.add(first.against(Target.atMost(10)));
        figures.add(ratio("P7", "first evaluation relative to curl's list", first.value(), floor)
                .against(Target.stretchAtMost(1.5)));
        peer(ClusterRead::seconds)
                .forEach(run -> figures.add(
                        ratio("P7", "first evaluation relative to the descheduler's run", first.value(), run)
                                .against(Target.atMost(0.33, 0.33))));
        figures.add(Figure.of("P8", "peak of resident memory, everything listed twice", peak, Unit.MEBIBYTES)
                .against(Target.atMost(320, 256)));
        peer(ClusterRead::peakMiB)
                .forEach(memory -> figures.add(ratio("P8", "the descheduler's peak relative to that", memory, peak)
                        .against(Target.atLeast(12, 18))));
        return figures;
    }

    private static Figure churn(ChurnCost cost) {
        String what = String.format(
                Locale.ROOT,
                "CPU at %.0f pod and %.0f node events a second",
                cost.podsPerSecond(),
                cost.nodesPerSecond());
        return Figure.of("P10", what, cost.cores() * PERCENT, Unit.PERCENT)
                .against(cost.podsPerSecond() < PERCENT ? Target.atMost(3, 1) : Target.atMost(50, 20));
    }

    private static Figure quiet(ApiCalls calls) {
        Map<String, Integer> beyond = calls.beyondRenewals();
        int requests = beyond.values().stream().mapToInt(Integer::intValue).sum();
        return Figure.of("P14", "requests in quiet minutes except lease and watch renewals", requests, Unit.COUNT)
                .noting(beyond.isEmpty() ? "" : beyond.toString())
                .against(Target.atMost(0, 0));
    }

    private static Figure ratio(String section, String name, double value, double reference) {
        return Figure.of(section, name, value / reference, Unit.TIMES);
    }

    private static <T> double median(List<T> reads, ToDoubleFunction<T> number) {
        return Summary.of(reads.stream().map(number::applyAsDouble).toList()).p50();
    }

    private List<CurlRead> curl() {
        return rounds.stream().map(Round::floor).toList();
    }

    private List<ClusterRead> holdfast() {
        return rounds.stream().map(Round::holdfast).toList();
    }

    private List<ClusterRead> peer() {
        return rounds.stream().flatMap(round -> round.peer().stream()).toList();
    }

    /** {@return the median of one number of the descheduler, such as its CPU time; empty if it was skipped} */
    private List<Double> peer(ToDoubleFunction<ClusterRead> number) {
        return peer().isEmpty() ? List.of() : List.of(median(peer(), number));
    }
}
