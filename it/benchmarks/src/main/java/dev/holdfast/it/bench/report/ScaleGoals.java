package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Holds the figures at scale against what they should be. Those of memory and time are meant for 150,000 pods. */
public final class ScaleGoals {
    private static final double NO_GOAL = Double.POSITIVE_INFINITY;
    private static final double MILLIS = 1_000;
    private static final double PERCENT = 100;

    private final List<FigureGoal> goals = new ArrayList<>();

    private ScaleGoals() {}

    /** {@return the goals, in the order of their sections} */
    public static List<FigureGoal> of(ScaleBenchOptions options, ScaleFigures figures) {
        ScaleGoals all = new ScaleGoals();
        all.detection(figures);
        all.start(figures);
        all.churn(figures.churn());
        all.server(figures);
        double empty = figures.startOnEmpty().summary().p50() / MILLIS;
        all.atMost("P15", "start to ready, empty cluster, median", "%.2f s", empty, 3, 1.2);
        return all.goals;
    }

    private void detection(ScaleFigures figures) {
        double usual = figures.usual().breaks().aboveWatch().p99();
        double fast = figures.fast().breaks().aboveWatch().p99();
        atMost("P5", "change to recorded above a bare watch, 20 a second, p99", "%.1f ms", usual, 10, 2);
        atMost("P5", "the same, 200 a second", "%.1f ms", fast, 50, 10);
        peer(figures, LookFigures::seconds).ifPresent(look -> {
            double times =
                    look.p50() * MILLIS / figures.usual().breaks().recorded().p50();
            atLeast("P6", "one look of the descheduler to a change recorded, medians", "%,.0fx", times, 100, 1_000);
        });
    }

    private void start(ScaleFigures figures) {
        Summary first = holdfast(figures, LookFigures::seconds);
        atMost("P7", "start to first complete evaluation, median", "%.1f s", first.p50(), 10, NO_GOAL);
        double floor = summary(figures, round -> round.floor().seconds()).p50();
        atMost("P7", "the same, to the floor of the same run", "%.2fx", first.p50() / floor, NO_GOAL, 1.5);
        peer(figures, LookFigures::seconds)
                .ifPresent(look -> atMost(
                        "P7",
                        "the same, to the descheduler's one look",
                        "%.2fx",
                        first.p50() / look.p50(),
                        0.33,
                        0.33));
        double peak = Math.max(
                holdfast(figures, LookFigures::peakMiB).max(),
                figures.afterRelist().peakMiB());
        atMost("P8", "peak of resident memory, everything listed twice", "%.0f MiB", peak, 320, 256);
        peer(figures, LookFigures::peakMiB)
                .ifPresent(memory -> atLeast("P8", "the descheduler's to that", "%.1fx", memory.p50() / peak, 12, 18));
    }

    private void churn(List<ChurnCost> churn) {
        for (ChurnCost cost : churn) {
            boolean usual = cost.podsPerSecond() < PERCENT;
            String what = String.format(
                    Locale.ROOT,
                    "CPU at %.0f pod and %.0f node events a second",
                    cost.podsPerSecond(),
                    cost.nodesPerSecond());
            atMost("P10", what, "%.1f %%", cost.cores() * PERCENT, usual ? 3 : 50, usual ? 1 : 20);
        }
    }

    private void server(ScaleFigures figures) {
        double ours = holdfast(figures, LookFigures::serverCpuSeconds).p50();
        double floor =
                summary(figures, round -> round.floor().serverCpuSeconds()).p50();
        atMost("P14", "kube-apiserver's CPU for a start, to one list", "%.2fx", ours / floor, 1.2, 1.2);
        figures.quiet().forEach(this::quiet);
    }

    private void quiet(ApiCalls calls) {
        Map<String, Integer> beyond = calls.beyondRenewals();
        goals.add(new FigureGoal(
                "P14",
                "requests in quiet minutes beside renewals of lease and watches",
                "none",
                "none",
                beyond.isEmpty() ? "none" : beyond.toString(),
                beyond.isEmpty(),
                beyond.isEmpty()));
    }

    private void atMost(String section, String figure, String form, double seen, double goal, double beyond) {
        goals.add(new FigureGoal(
                section,
                figure,
                words("<= ", form, goal),
                words("<= ", form, beyond),
                String.format(Locale.ROOT, form, seen),
                seen <= goal,
                seen <= beyond));
    }

    private void atLeast(String section, String figure, String form, double seen, double goal, double beyond) {
        goals.add(new FigureGoal(
                section,
                figure,
                words(">= ", form, goal),
                words(">= ", form, beyond),
                String.format(Locale.ROOT, form, seen),
                seen >= goal,
                seen >= beyond));
    }

    private static String words(String sign, String form, double limit) {
        return limit == NO_GOAL ? "" : sign + String.format(Locale.ROOT, form, limit);
    }

    private static Summary holdfast(ScaleFigures figures, ToDoubleFunction<LookFigures> figure) {
        return summary(figures, round -> figure.applyAsDouble(round.holdfast()));
    }

    private static Summary summary(ScaleFigures figures, ToDoubleFunction<ScaleRound> figure) {
        return Summary.of(figures.rounds().stream().map(figure::applyAsDouble).toList());
    }

    /** {@return a summary of the descheduler's rounds; nothing where it was left out} */
    static Optional<Summary> peer(ScaleFigures figures, ToDoubleFunction<LookFigures> figure) {
        List<Double> samples = figures.rounds().stream()
                .flatMap(round -> round.peer().stream())
                .map(figure::applyAsDouble)
                .toList();
        return samples.isEmpty() ? Optional.empty() : Optional.of(Summary.of(samples));
    }
}
