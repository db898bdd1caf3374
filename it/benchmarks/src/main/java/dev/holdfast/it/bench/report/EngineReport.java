package dev.holdfast.it.bench.report;

import java.util.List;

/**
 * The result of {@code it/bench engine}, as it is written to its file.
 *
 * @param started when the bench began, as ISO 8601
 * @param million as events, with a million pods; empty where it was left out
 * @param churn one, or none where it was left out
 */
public record EngineReport(
        String bench,
        String started,
        Checkout checkout,
        Machine machine,
        EngineBenchOptions options,
        List<EventFigures> events,
        List<EventFigures> million,
        List<HeapFigures> heaps,
        List<ChurnFigures> churn,
        List<FigureGoal> goals) {
    public EngineReport {
        events = List.copyOf(events);
        million = List.copyOf(million);
        heaps = List.copyOf(heaps);
        churn = List.copyOf(churn);
        goals = List.copyOf(goals);
    }
}
