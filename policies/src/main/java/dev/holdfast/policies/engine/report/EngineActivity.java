package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.evaluate.Reason;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The present activity of the engine, over all policies.
 *
 * @param inFlight the number of moves in flight; 0 while this replica does not lead
 * @param allowedInFlight how many may be in flight: the lower of the operator's limit and the slow start; 0
 *     while this replica does not lead
 * @param evictionsInHour the number of evictions within the last hour; 0 while this replica does not lead
 * @param openBreakers the number of open breakers, by the reason of the holds that they cause; empty while this replica
 *     does not lead
 * @param pauses the number of EnforcementPauses that apply now
 * @param tooComplex the number of pods that are too complex to be read in full
 * @param nodesTooComplex the number of nodes that have more than is read
 * @param lastPlan when the last plan was made; absent before the first one
 * @param clockRestarts how often the forgiveness of a violation started again, since the start; without causes that
 *     never occurred
 */
public record EngineActivity(
        int inFlight,
        int allowedInFlight,
        int evictionsInHour,
        Map<Reason, Integer> openBreakers,
        int pauses,
        int tooComplex,
        int nodesTooComplex,
        Optional<Instant> lastPlan,
        Map<ClockRestart, Long> clockRestarts) {
    /** The activity of an engine before its first event. */
    public static final EngineActivity NONE =
            new EngineActivity(0, 0, 0, Map.of(), 0, 0, 0, Optional.empty(), Map.of());

    public EngineActivity {
        openBreakers = Map.copyOf(openBreakers);
        clockRestarts = Map.copyOf(clockRestarts);
    }
}
