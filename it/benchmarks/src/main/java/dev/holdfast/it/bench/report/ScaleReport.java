package dev.holdfast.it.bench.report;

import java.util.List;

/**
 * The result of {@code it/bench scale}, as it is written to its file.
 *
 * @param started when the bench began, as ISO 8601
 */
public record ScaleReport(
        String bench,
        String started,
        Checkout checkout,
        Machine machine,
        ScaleBenchOptions options,
        ScaleFigures figures,
        List<FigureGoal> goals) {
    public ScaleReport {
        goals = List.copyOf(goals);
    }
}
