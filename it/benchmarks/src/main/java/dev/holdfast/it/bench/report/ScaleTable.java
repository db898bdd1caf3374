package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.Latency;
import dev.holdfast.it.bench.measure.Summary;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The report at scale as text for a terminal. */
public final class ScaleTable {
    private static final double MIB = 1 << 20;

    private final ScaleReport report;
    private final ScaleFigures figures;

    private ScaleTable(ScaleReport report) {
        this.report = report;
        this.figures = report.figures();
    }

    /** {@return the report in many lines, without one at the end} */
    public static String of(ScaleReport report) {
        ScaleTable table = new ScaleTable(report);
        return String.join(
                "\n", table.head(), "", table.looks(), "", table.changes(), "", GoalTable.of(report.goals()));
    }

    private String head() {
        return String.format(
                Locale.ROOT,
                "%,d nodes, %,d pods of %,.0f bytes, %,d of them in violation, %d rounds; commit %s%n%s",
                report.options().nodes(),
                report.options().pods(),
                figures.podBytes(),
                figures.violating(),
                figures.rounds().size(),
                report.checkout(),
                report.machine());
    }

    private String looks() {
        String bytes = String.format(
                Locale.ROOT, "%,.0f MiB", figures.rounds().getFirst().floor().bytes() / MIB);
        Table table = new Table()
                .row("one look at everything, median (min-max)", "curl, " + bytes, "Holdfast", "descheduler")
                .row(
                        "seconds",
                        floor("%.1f", FloorFigures::seconds),
                        holdfast("%.1f", LookFigures::seconds),
                        peer("%.1f", LookFigures::seconds))
                .row(
                        "CPU seconds",
                        "",
                        holdfast("%.1f", LookFigures::cpuSeconds),
                        peer("%.1f", LookFigures::cpuSeconds))
                .row(
                        "CPU seconds of kube-apiserver",
                        floor("%.1f", FloorFigures::serverCpuSeconds),
                        holdfast("%.1f", LookFigures::serverCpuSeconds),
                        peer("%.1f", LookFigures::serverCpuSeconds))
                .row(
                        "peak of memory, MiB",
                        "",
                        holdfast("%,.0f", LookFigures::peakMiB),
                        peer("%,.0f", LookFigures::peakMiB))
                .row(
                        "pods in violation (the descheduler: their nodes) found",
                        "",
                        holdfast("%,.0f", LookFigures::found),
                        peer("%,.0f", LookFigures::found))
                .row(
                        "others found",
                        "",
                        holdfast("%,.0f", LookFigures::unplanted),
                        peer("%,.0f", LookFigures::unplanted));
        return table.text();
    }

    private String changes() {
        return new Table()
                .row("Holdfast, ms: p50 / p90 / p99 / max", "20 a second", "200 a second")
                .row("changes, violations", count(figures.usual()), count(figures.fast()))
                .row(
                        "change to a bare watch",
                        summary(Latency::watched, figures.usual()),
                        summary(Latency::watched, figures.fast()))
                .row(
                        "change to recorded",
                        summary(Latency::recorded, figures.usual()),
                        summary(Latency::recorded, figures.fast()))
                .row(
                        "above the bare watch",
                        summary(Latency::aboveWatch, figures.usual()),
                        summary(Latency::aboveWatch, figures.fast()))
                .text();
    }

    private static String count(ChangeFigures changes) {
        return String.format(Locale.ROOT, "%,d, %,d", changes.samples().size() / 2, changes.violations());
    }

    private static String summary(Function<Latency, Summary> which, ChangeFigures changes) {
        Summary summary = which.apply(changes.breaks());
        return String.format(
                Locale.ROOT, "%.1f / %.1f / %.1f / %.1f", summary.p50(), summary.p90(), summary.p99(), summary.max());
    }

    private String floor(String form, ToDoubleFunction<FloorFigures> figure) {
        return cell(
                form,
                Summary.of(figures.rounds().stream()
                        .map(round -> figure.applyAsDouble(round.floor()))
                        .toList()));
    }

    private String holdfast(String form, ToDoubleFunction<LookFigures> figure) {
        return cell(
                form,
                Summary.of(figures.rounds().stream()
                        .map(round -> figure.applyAsDouble(round.holdfast()))
                        .toList()));
    }

    private String peer(String form, ToDoubleFunction<LookFigures> figure) {
        return ScaleGoals.peer(figures, figure).map(it -> cell(form, it)).orElse("-");
    }

    private static String cell(String form, Summary summary) {
        return List.of(summary.p50(), summary.min(), summary.max()).stream()
                .map(value -> String.format(Locale.ROOT, form, value))
                .reduce((text, next) -> text.contains("(") ? text + "-" + next + ")" : text + " (" + next)
                .orElse("");
    }
}
