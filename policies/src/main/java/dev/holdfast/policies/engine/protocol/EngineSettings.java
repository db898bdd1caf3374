package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.conduct.OperatorLimits;
import java.time.Duration;
import java.util.Set;

/**
 * The settings of the engine, which do not change while it runs.
 *
 * @param protectedNamespaces pods in them are never victims
 * @param exemptNamespaces pods in them are no partners of anti-affinity rules
 * @param replacementTimeout how long a replacement may take to become ready
 * @param brakes the thresholds of the breakers
 * @param checks the checks that each candidate of a plan must pass
 */
public record EngineSettings(
        OperatorLimits operatorLimits,
        Set<String> protectedNamespaces,
        Set<String> exemptNamespaces,
        Duration replacementTimeout,
        BrakeSettings brakes,
        Checks checks) {
    public EngineSettings {
        protectedNamespaces = Set.copyOf(protectedNamespaces);
        exemptNamespaces = Set.copyOf(exemptNamespaces);
    }

    /** Settings with all checks. */
    public EngineSettings(
            OperatorLimits operatorLimits,
            Set<String> protectedNamespaces,
            Set<String> exemptNamespaces,
            Duration replacementTimeout,
            BrakeSettings brakes) {
        this(operatorLimits, protectedNamespaces, exemptNamespaces, replacementTimeout, brakes, Checks.all());
    }
}
