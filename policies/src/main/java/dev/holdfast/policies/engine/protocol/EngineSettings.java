package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.conduct.OperatorLimits;
import dev.holdfast.policies.plan.conduct.ProtectedPods;
import java.time.Duration;
import java.util.Set;

/**
 * The settings of the engine, which do not change while it runs.
 *
 * @param operatorLimits the operator's own limits on evictions, for all policies together
 * @param protectedPods which pods are never victims
 * @param exemptNamespaces namespaces whose pods are neither rule owners nor partners of anti-affinity rules
 * @param replacementTimeout how long after the eviction the replacement may take to become Ready
 * @param breakers the thresholds of the breakers
 * @param checks the checks that each candidate of a plan must pass
 */
public record EngineSettings(
        OperatorLimits operatorLimits,
        ProtectedPods protectedPods,
        Set<String> exemptNamespaces,
        Duration replacementTimeout,
        BreakerSettings breakers,
        Checks checks) {
    public EngineSettings {
        exemptNamespaces = Set.copyOf(exemptNamespaces);
    }

    /** Creates settings with all checks. */
    public EngineSettings(
            OperatorLimits operatorLimits,
            ProtectedPods protectedPods,
            Set<String> exemptNamespaces,
            Duration replacementTimeout,
            BreakerSettings breakers) {
        this(operatorLimits, protectedPods, exemptNamespaces, replacementTimeout, breakers, Checks.all());
    }
}
