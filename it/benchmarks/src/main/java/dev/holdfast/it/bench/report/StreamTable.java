package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.Summary;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** The report of recorded watches as text for a terminal. */
public final class StreamTable {
    private StreamTable() {}

    /** {@return the report in many lines, without one at the end} */
    public static String of(StreamReport report) {
        return String.join("\n", head(report), "", figures(report), "", GoalTable.of(report.goals()));
    }

    private static String head(StreamReport report) {
        StreamBenchOptions options = report.options();
        return String.format(
                Locale.ROOT,
                "%,d pods, %,d nodes, seed %d; %d rounds of %,d events after %d to warm up; commit %s%n%s",
                options.pods(),
                options.nodes(),
                options.seed(),
                options.rounds(),
                options.events(),
                options.warmups(),
                report.checkout(),
                report.machine());
    }

    private static String figures(StreamReport report) {
        Table table = new Table()
                .row("median (min-max)", "", "events a second", "MB a second", "garbage an event", "bytes a frame");
        for (StreamFigures figures : report.streams()) {
            table.row(
                    figures.reader(),
                    figures.stream(),
                    cell(figures.perSecond(), StreamGoals::count),
                    StreamGoals.count(figures.megabytesPerSecond()),
                    cell(figures.garbage(), StreamGoals::bytes),
                    StreamGoals.count(figures.frameBytes()));
        }
        return table.text();
    }

    private static String cell(Summary summary, DoubleFunction<String> words) {
        return String.format(
                "%s (%s-%s)", words.apply(summary.p50()), words.apply(summary.min()), words.apply(summary.max()));
    }
}
