package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.report.ClusterMap.Presence;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.simulate.History;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.whatif.SimulationWatcher;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Draws a simulation before a change and at its end. The simulation itself is not kept.
 *
 * <p>Confined to the thread that simulates.
 */
public final class PlayedChange implements SimulationWatcher {
    /** The maximum number of lanes. */
    public static final int MOST_LANES = 300;

    private static final ClusterMap NONE = new ClusterMap(List.of());

    private ClusterMap before = NONE;
    private ClusterMap after = NONE;
    private TimeLine timeLine = TimeLine.NONE;

    @Override
    public void beforeChange(Simulation simulation) {
        before = map(simulation);
    }

    @Override
    public void atEnd(Simulation simulation) {
        after = map(simulation);
        timeLine = TimeLineBuilder.of(simulation, MOST_LANES);
    }

    private static ClusterMap map(Simulation simulation) {
        Set<String> violating = History.of(simulation.happenings()).running().stream()
                .map(violation -> violation.key().podUid())
                .collect(Collectors.toSet());
        return new MapBuilder(simulation.cluster().nodes())
                .of(
                        simulation.cluster().pods().stream()
                                .filter(pod -> pod.counts() && !pod.terminating())
                                .toList(),
                        pod -> violating.contains(pod.uid()) ? State.VIOLATED : State.FINE);
    }

    /** {@return what was seen; empty maps if nothing was simulated} */
    public ChangePicture picture() {
        return new ChangePicture(
                before.marking(after, Presence.LEAVES), after.marking(before, Presence.ARRIVES), timeLine);
    }
}
