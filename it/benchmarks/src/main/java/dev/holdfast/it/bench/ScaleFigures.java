package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The figures of the scale bench with their targets. The targets for memory and time apply to 150,000 pods. */
final class ScaleFigures {
    private static final double MIB = 1 << 20;
    private static final double MILLIS = 1_000;
    private static final double PERCENT = 100;
    private static final String READS = "reads";

    private final ScaleMeasurements measured;
    private final List<Figure> figures = new ArrayList<>();

    ScaleFigures(ScaleMeasurements measured) {
        this.measured = measured;
    }

    /** {@return all figures, in the order of the report} */
    List<Figure> all() {
        reads();
        changes("20 a second", measured.usual());
        changes("200 a second", measured.fast());
        detection();
        start();
        measured.churn().forEach(this::churn);
        server();
        measured.quiet().forEach(this::quiet);
        allViolating(measured.allViolating());
        List<Double> seconds =
                measured.startMillis().stream().map(millis -> millis / MILLIS).toList();
        add(
                Figure.median("P15", "start to ready, empty cluster, median", seconds, Unit.SECONDS),
                Target.atMost(3, 1.2));
        return List.copyOf(figures);
    }

    private void reads() {
        add(Figure.of(READS, "a pod in protobuf", measured.podBytes(), Unit.BYTES));
        add(Figure.of(READS, "pods in violation", measured.violating(), Unit.COUNT));
        List<CurlRead> curl = measured.rounds().stream().map(ScaleRound::floor).toList();
        String listed = Unit.MEBIBYTES.print(curl.getFirst().bytes() / MIB);
        add(median("curl lists all pods", curl, CurlRead::seconds, Unit.SECONDS).noting(listed));
        add(median("curl, CPU of kube-apiserver", curl, CurlRead::serverCpuSeconds, Unit.SECONDS));
        reads("Holdfast", "pods in violation found", holdfast());
        reads("descheduler", "nodes with such pods found", descheduler());
    }

    private void reads(String reader, String found, List<ClusterRead> reads) {
        if (!reads.isEmpty()) {
            add(median(reader + ", whole cluster", reads, ClusterRead::seconds, Unit.SECONDS));
            add(median(reader + ", CPU", reads, ClusterRead::cpuSeconds, Unit.SECONDS));
            add(median(reader + ", CPU of kube-apiserver", reads, ClusterRead::serverCpuSeconds, Unit.SECONDS));
            add(median(reader + ", peak of resident memory", reads, ClusterRead::peakMiB, Unit.MEBIBYTES));
            add(median(reader + ", " + found, reads, ClusterRead::found, Unit.COUNT));
            add(median(reader + ", others found", reads, ClusterRead::unplanted, Unit.COUNT));
        }
    }

    private void changes(String pace, ChangeLatencies changes) {
        add(latency(
                        "change to a bare watch, " + pace + ", median",
                        changes.breaks().watched())
                .noting(String.format(
                        Locale.ROOT,
                        "%,d changes, %,d violations",
                        changes.samples().size() / 2,
                        changes.violations())));
        add(latency("change to recorded, " + pace + ", median", changes.breaks().recorded()));
    }

    private static Figure latency(String name, Summary summary) {
        return Figure.of("changes", name, summary.p50(), Unit.MILLISECONDS).noting(percentiles(summary));
    }

    private static String percentiles(Summary summary) {
        return String.format(
                Locale.ROOT,
                "p50 %.1f, p90 %.1f, p99 %.1f, max %.1f ms",
                summary.p50(),
                summary.p90(),
                summary.p99(),
                summary.max());
    }

    private void detection() {
        detection("20 a second", measured.usual(), Target.atMost(10, 2));
        detection("200 a second", measured.fast(), Target.atMost(50, 10));
        descheduler(ClusterRead::seconds)
                .ifPresent(read -> add(
                        Figure.of(
                                "P6",
                                "descheduler run relative to a recorded change, medians",
                                read
                                        * MILLIS
                                        / measured.usual().breaks().recorded().p50(),
                                Unit.TIMES),
                        Target.atLeast(100, 1_000)));
    }

    private void detection(String pace, ChangeLatencies changes, Target target) {
        Summary above = changes.breaks().aboveWatch();
        String name = "change to recorded above a bare watch, " + pace + ", p99";
        add(Figure.of("P5", name, above.p99(), Unit.MILLISECONDS).noting(percentiles(above)), target);
    }

    private void start() {
        List<Double> samples = samples(holdfast(), ClusterRead::seconds);
        Figure first = Figure.median("P7", "start to first complete evaluation, median", samples, Unit.SECONDS);
        add(first, Target.atMost(10));
        double floor = Summary.of(measured.rounds().stream()
                        .map(round -> round.floor().seconds())
                        .toList())
                .p50();
        add(
                Figure.of("P7", "first evaluation relative to curl's list", first.value() / floor, Unit.TIMES),
                Target.stretchAtMost(1.5));
        descheduler(ClusterRead::seconds)
                .ifPresent(read -> add(
                        Figure.of(
                                "P7",
                                "first evaluation relative to the descheduler's run",
                                first.value() / read,
                                Unit.TIMES),
                        Target.atMost(0.33, 0.33)));
        double peak = Math.max(
                Summary.of(samples(holdfast(), ClusterRead::peakMiB)).max(),
                measured.afterRelist().peakMiB());
        add(
                Figure.of("P8", "peak of resident memory, everything listed twice", peak, Unit.MEBIBYTES),
                Target.atMost(320, 256));
        descheduler(ClusterRead::peakMiB)
                .ifPresent(memory -> add(
                        Figure.of("P8", "the descheduler's peak relative to that", memory / peak, Unit.TIMES),
                        Target.atLeast(12, 18)));
    }

    private void churn(ChurnCost cost) {
        boolean usual = cost.podsPerSecond() < PERCENT;
        String what = String.format(
                Locale.ROOT,
                "CPU at %.0f pod and %.0f node events a second",
                cost.podsPerSecond(),
                cost.nodesPerSecond());
        add(
                Figure.of("P10", what, cost.cores() * PERCENT, Unit.PERCENT),
                usual ? Target.atMost(3, 1) : Target.atMost(50, 20));
    }

    private void server() {
        double ours =
                Summary.of(samples(holdfast(), ClusterRead::serverCpuSeconds)).p50();
        double floor = Summary.of(measured.rounds().stream()
                        .map(round -> round.floor().serverCpuSeconds())
                        .toList())
                .p50();
        add(
                Figure.of("P14", "kube-apiserver's CPU for a start relative to one list", ours / floor, Unit.TIMES),
                Target.atMost(1.2, 1.2));
    }

    private void quiet(ApiCalls calls) {
        Map<String, Integer> beyond = calls.beyondRenewals();
        int requests = beyond.values().stream().mapToInt(Integer::intValue).sum();
        add(
                Figure.of("P14", "requests in quiet minutes except lease and watch renewals", requests, Unit.COUNT)
                        .noting(beyond.isEmpty() ? "" : beyond.toString()),
                Target.atMost(0, 0));
    }

    private void allViolating(AllViolating all) {
        String what = String.format(Locale.ROOT, "peak of resident memory, %,d violations at once", all.violations());
        add(Figure.of("R17", what, all.peakMiB(), Unit.MEBIBYTES), Target.atMost(all.limitMiB()));
    }

    private void add(Figure figure) {
        figures.add(figure);
    }

    private void add(Figure figure, Target target) {
        figures.add(figure.against(target));
    }

    private static <T> Figure median(String name, List<T> reads, ToDoubleFunction<T> figure, Unit unit) {
        return Figure.median(READS, name, samples(reads, figure), unit);
    }

    private static <T> List<Double> samples(List<T> reads, ToDoubleFunction<T> figure) {
        return reads.stream().map(figure::applyAsDouble).toList();
    }

    private List<ClusterRead> holdfast() {
        return measured.rounds().stream().map(ScaleRound::holdfast).toList();
    }

    private List<ClusterRead> descheduler() {
        return measured.rounds().stream()
                .flatMap(round -> round.peer().stream())
                .toList();
    }

    /**
     * {@return the median over all rounds of one value of the descheduler, such as its CPU time; empty if it was
     * skipped}
     */
    private OptionalDouble descheduler(ToDoubleFunction<ClusterRead> figure) {
        List<Double> samples = samples(descheduler(), figure);
        return samples.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Summary.of(samples).p50());
    }
}
