package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.ArrayList;
import java.util.List;

/**
 * All measurements of {@code it/bench engine}.
 *
 * @param million timings of some of the {@link Scene scenes} in a cluster of a million pods; empty if skipped
 * @param churn the heap use while pods are replaced, one element; empty if skipped
 * @param pressure the engine while due pods wait for a node; empty if skipped
 * @param violations the heap use of violations of all pods at once, one element; empty if skipped
 */
record EngineMeasurements(
        List<SceneTiming> events,
        List<SceneTiming> million,
        List<HeapSize> heaps,
        List<ChurnRun> churn,
        List<PressureRun> pressure,
        List<ViolationsRun> violations) {
    EngineMeasurements {
        pressure = List.copyOf(pressure);
        violations = List.copyOf(violations);
        events = List.copyOf(events);
        million = List.copyOf(million);
        heaps = List.copyOf(heaps);
        churn = List.copyOf(churn);
    }

    /** {@return the figures, in the order of the report} */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        events.forEach(timing -> figures.addAll(timing.figures()));
        million.forEach(timing -> figures.addAll(timing.figures()));
        million.forEach(timing -> figures.addAll(toFewer(timing)));
        heaps.forEach(heap -> figures.addAll(heap.figures()));
        churn.forEach(run -> figures.addAll(run.figures()));
        pressure.forEach(run -> figures.addAll(run.figures()));
        violations.forEach(run -> figures.addAll(run.figures()));
        return figures;
    }

    /**
     * {@return the cost of a scene with a million pods as a multiple of its cost with fewer pods} Empty if the scene
     * was not measured with fewer pods.
     */
    private List<Figure> toFewer(SceneTiming timing) {
        return events.stream()
                .filter(fewer -> fewer.scene().equals(timing.scene()))
                .map(fewer -> timing.of(Statistic.COST) / fewer.of(Statistic.COST))
                .map(times -> Figure.of("P4", timing.what() + ", mean cost relative to that above", times, Unit.TIMES)
                        .against(Target.atMost(2, 1.1)))
                .toList();
    }
}
