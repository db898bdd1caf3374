package dev.holdfast.it.bench.report;

import java.util.List;

/**
 * The result of {@code it/bench stream}, as it is written to its file.
 *
 * @param started when the bench began, as ISO 8601
 */
public record StreamReport(
        String bench,
        String started,
        Checkout checkout,
        Machine machine,
        StreamBenchOptions options,
        List<StreamFigures> streams,
        List<FigureGoal> goals) {
    public StreamReport {
        streams = List.copyOf(streams);
        goals = List.copyOf(goals);
    }
}
