package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.conduct.Limits;
import java.time.Duration;
import java.util.Set;

/**
 * What does not change while the engine runs.
 *
 * @param protectedNamespaces pods in them are never victims
 * @param exemptNamespaces pods in them are no partners in the verdict of anti-affinity
 * @param replacementTimeout how long a replacement may take to become ready
 * @param brakes when so much breaks at once that evictions stop
 * @param checks what a plan holds candidates for
 */
public record EngineSettings(
        Limits limits,
        Set<String> protectedNamespaces,
        Set<String> exemptNamespaces,
        Duration replacementTimeout,
        BrakeSettings brakes,
        Checks checks) {
    public EngineSettings {
        protectedNamespaces = Set.copyOf(protectedNamespaces);
        exemptNamespaces = Set.copyOf(exemptNamespaces);
    }

    /** Settings with every check there is. */
    public EngineSettings(
            Limits limits,
            Set<String> protectedNamespaces,
            Set<String> exemptNamespaces,
            Duration replacementTimeout,
            BrakeSettings brakes) {
        this(limits, protectedNamespaces, exemptNamespaces, replacementTimeout, brakes, Checks.all());
    }
}
