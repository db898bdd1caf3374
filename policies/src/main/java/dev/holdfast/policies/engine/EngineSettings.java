package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.Limits;
import java.time.Duration;
import java.util.Set;

/**
 * What does not change while the engine runs.
 *
 * @param protectedNamespaces pods in them are never victims
 * @param exemptNamespaces pods in them are no partners in the verdict of anti-affinity
 * @param replacementTimeout how long a replacement may take to become ready
 * @param brakes when so much breaks at once that evictions stop
 * @param disregarded reasons for which no plan holds anything: to show what they protect from. No configuration of an
 *     operator names any
 */
public record EngineSettings(
        Limits limits,
        Set<String> protectedNamespaces,
        Set<String> exemptNamespaces,
        Duration replacementTimeout,
        BrakeSettings brakes,
        Set<Reason> disregarded) {
    public EngineSettings {
        protectedNamespaces = Set.copyOf(protectedNamespaces);
        exemptNamespaces = Set.copyOf(exemptNamespaces);
        disregarded = Set.copyOf(disregarded);
    }

    /** Settings with which every reason counts. */
    public EngineSettings(
            Limits limits,
            Set<String> protectedNamespaces,
            Set<String> exemptNamespaces,
            Duration replacementTimeout,
            BrakeSettings brakes) {
        this(limits, protectedNamespaces, exemptNamespaces, replacementTimeout, brakes, Set.of());
    }

    /** {@return the same settings, with which nothing is held for these reasons} */
    public EngineSettings disregarding(Set<Reason> reasons) {
        return new EngineSettings(limits, protectedNamespaces, exemptNamespaces, replacementTimeout, brakes, reasons);
    }
}
