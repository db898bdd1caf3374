package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;

/**
 * All that {@code it/bench engine} measured.
 *
 * @param million as events, with a million pods; empty where it was left out
 * @param churn one, or none where it was left out
 */
record EngineMeasurements(
        List<SceneTiming> events, List<SceneTiming> million, List<HeapSize> heaps, List<ChurnRun> churn) {
    EngineMeasurements {
        events = List.copyOf(events);
        million = List.copyOf(million);
        heaps = List.copyOf(heaps);
        churn = List.copyOf(churn);
    }

    /** {@return the figures, in the order of a report} */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        events.forEach(timing -> figures.addAll(timing.figures()));
        million.forEach(timing -> figures.addAll(timing.figures()));
        million.forEach(timing -> figures.addAll(toFewer(timing)));
        heaps.forEach(heap -> figures.addAll(heap.figures()));
        churn.forEach(run -> figures.addAll(run.figures()));
        return figures;
    }

    /** {@return the cost of an event among a million pods beside its cost among fewer in the same run} */
    private List<Figure> toFewer(SceneTiming timing) {
        return events.stream()
                .filter(fewer -> fewer.scene().equals(timing.scene()))
                .map(fewer -> timing.of(Statistic.COST) / fewer.of(Statistic.COST))
                .map(times -> Figure.of("P4", timing.what() + ", mean cost to that above", times, Unit.TIMES)
                        .against(Target.atMost(2, 1.1)))
                .toList();
    }
}
