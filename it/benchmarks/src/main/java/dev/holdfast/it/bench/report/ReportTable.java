package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Summary;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The report as text for a terminal. */
public final class ReportTable {
    private static final String NONE = "-";
    private static final double SECONDS_PER_MINUTE = 60;

    private final OperatorReport report;
    private final HoldfastFigures holdfast;
    private final Optional<PeerFigures> peer;

    private ReportTable(OperatorReport report) {
        this.report = report;
        this.holdfast = report.holdfast();
        this.peer = report.peers().stream().findFirst();
    }

    /** {@return the report in many lines, without one at the end} */
    public static String of(OperatorReport report) {
        ReportTable table = new ReportTable(report);
        return String.join("\n", table.head(), "", table.figures(), "", table.goals());
    }

    private String head() {
        return String.format(
                Locale.ROOT,
                "%,d nodes, %,d pods, %,d of them with rules; commit %s%n%s",
                report.options().nodes(),
                report.options().pods(),
                report.podsWithRules(),
                report.checkout(),
                report.machine());
    }

    private String figures() {
        ChangeFigures changes = holdfast.changes();
        Summary starts = holdfast.startOnEmpty().summary();
        Table table = new Table()
                .row(
                        "",
                        "Holdfast",
                        peer.map(it -> it.name() + " " + it.version()).orElse(NONE))
                .row(
                        "start to ready, empty cluster, ms",
                        String.format(
                                Locale.ROOT,
                                "%,.0f (%,.0f-%,.0f of %d)",
                                starts.p50(),
                                starts.min(),
                                starts.max(),
                                starts.count()),
                        NONE)
                .row(
                        "start to ready, full cluster, ms",
                        String.format(Locale.ROOT, "%,.0f", holdfast.startOnFull()),
                        NONE)
                .row(
                        "resident memory after sync, MiB",
                        memory(holdfast.afterSync()),
                        peer(it -> memory(it.afterSync())))
                .row(
                        "resident memory after the changes, MiB",
                        memory(holdfast.afterChanges()),
                        peer(it -> memory(it.afterChanges())))
                .row(
                        "changes, how they came",
                        String.format(
                                Locale.ROOT,
                                "%d at %.1f a second, %,d violations",
                                changes.samples().size(),
                                changes.perSecond(),
                                changes.violations()),
                        peer(it -> it.noticed().count() + " one by one"))
                .row(
                        "change to bare watch, ms",
                        percentiles(changes.breaks().watched()),
                        peer(it -> percentiles(it.watched())))
                .row(
                        "change to recorded (peer: noticed), ms",
                        percentiles(changes.breaks().recorded()),
                        peer(it -> percentiles(it.noticed())))
                .row("  above the bare watch", percentiles(changes.breaks().aboveWatch()), NONE)
                .row(
                        "healing to recorded, above the bare watch",
                        percentiles(changes.heals().aboveWatch()),
                        NONE)
                .row(
                        "changes not noticed",
                        "0",
                        peer(it -> it.missed().isEmpty() ? "0" : it.missed().toString()))
                .row("quiet, minutes", minutes(holdfast.quiet()), peer(it -> minutes(it.quiet())))
                .row("  lease renewals", renewals(holdfast.quiet()), peer(it -> renewals(it.quiet())))
                .row(
                        "  watch renewals",
                        Integer.toString(holdfast.quiet().watches()),
                        peer(it -> Integer.toString(it.quiet().watches())))
                .row("  other requests", others(holdfast.quiet()), peer(it -> others(it.quiet())));
        return table.text();
    }

    private String peer(Function<PeerFigures, String> cell) {
        return peer.map(cell).orElse(NONE);
    }

    private static String memory(ProcessFigures figures) {
        return String.format(Locale.ROOT, "%.0f (peak %.0f)", figures.residentMiB(), figures.peakMiB());
    }

    private static String percentiles(Summary summary) {
        return String.format(
                "p50 %s  p90 %s  p99 %s  max %s",
                OperatorReport.number(summary.p50()),
                OperatorReport.number(summary.p90()),
                OperatorReport.number(summary.p99()),
                OperatorReport.number(summary.max()));
    }

    private static String minutes(ApiCalls calls) {
        return String.format(Locale.ROOT, "%.1f", calls.seconds() / SECONDS_PER_MINUTE);
    }

    private static String renewals(ApiCalls calls) {
        return Integer.toString(calls.requests().getOrDefault("update leases", 0));
    }

    private static String others(ApiCalls calls) {
        Map<String, Integer> others = calls.beyondRenewals();
        return others.isEmpty()
                ? "none"
                : others.entrySet().stream()
                        .map(kind -> kind.getValue() + " " + kind.getKey())
                        .collect(Collectors.joining(", "));
    }

    private String goals() {
        Table table = new Table().row("goal", "", "seen", "");
        report.goals()
                .forEach(goal -> table.row(goal.figure(), goal.goal(), goal.seen(), goal.met() ? "met" : "MISSED"));
        return table.text();
    }
}
