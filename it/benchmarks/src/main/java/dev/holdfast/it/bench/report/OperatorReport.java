package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.ProcessFigures;
import java.util.List;
import java.util.Locale;

/**
 * The result of {@code it/bench operator}, as it is written to its file.
 *
 * @param started when the bench began, as ISO 8601
 * @param podsWithRules how many of the pods carry a rule
 * @param peers the descheduler, or nobody where it was left out
 */
public record OperatorReport(
        String bench,
        String started,
        Checkout checkout,
        Machine machine,
        OperatorBenchOptions options,
        int podsWithRules,
        HoldfastFigures holdfast,
        List<PeerFigures> peers,
        List<Goal> goals) {
    private static final double LONGEST_START = 3_000;
    private static final double MOST_MEMORY = 160;
    private static final double LONGEST_LAG = 50;

    public OperatorReport {
        peers = List.copyOf(peers);
        goals = List.copyOf(goals);
    }

    /** {@return the goals, in the order of the table} */
    public static List<Goal> goals(HoldfastFigures figures) {
        double start = figures.startOnEmpty().summary().p50();
        ProcessFigures memory = figures.afterChanges();
        double lag = figures.changes().breaks().aboveWatch().p99();
        var beyond = figures.quiet().beyondRenewals();
        return List.of(
                new Goal("start to ready, empty cluster, median", "at most 3 s", millis(start), start <= LONGEST_START),
                new Goal(
                        "resident memory after the changes",
                        "at most 160 MiB",
                        number(memory.residentMiB()) + " MiB",
                        memory.residentMiB() <= MOST_MEMORY),
                new Goal(
                        "change to recorded, above a bare watch, p99",
                        "at most 50 ms",
                        millis(lag),
                        lag <= LONGEST_LAG),
                new Goal(
                        "requests in the quiet minutes beside renewals of lease and watches",
                        "none",
                        beyond.isEmpty() ? "none" : beyond.toString(),
                        beyond.isEmpty()));
    }

    private static String millis(double millis) {
        return number(millis) + " ms";
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
    }
}
