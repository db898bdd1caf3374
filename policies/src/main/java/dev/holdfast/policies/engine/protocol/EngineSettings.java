package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settings of the engine, which do not change while it runs.
 *
 * @param operatorLimits the operator's own limits on evictions, for all policies together
 * @param protectedPods which pods are never victims; pods of exempt namespaces are added
 * @param exemptNamespaces namespaces whose pods are neither rule owners nor partners of anti-affinity rules, and never
 *     victims
 * @param replacementTimes when the replacement of an evicted pod is a success or a failure
 * @param breakers the thresholds of the breakers
 * @param checks the checks that each candidate of a plan must pass
 * @param remembers whether the engine keeps a ledger, so that a restart lifts no brake and no limit
 */
public record EngineSettings(
        OperatorLimits operatorLimits,
        ProtectedPods protectedPods,
        Set<String> exemptNamespaces,
        ReplacementTimes replacementTimes,
        BreakerSettings breakers,
        Checks checks,
        boolean remembers) {
    public EngineSettings {
        exemptNamespaces = Set.copyOf(exemptNamespaces);
        protectedPods = protectedPods.alsoIn(exemptNamespaces);
    }

    /** Creates settings with all checks and without a ledger. */
    public EngineSettings(
            OperatorLimits operatorLimits,
            ProtectedPods protectedPods,
            Set<String> exemptNamespaces,
            ReplacementTimes replacementTimes,
            BreakerSettings breakers) {
        this(operatorLimits, protectedPods, exemptNamespaces, replacementTimes, breakers, Checks.all(), false);
    }

    /** {@return the namespaces into whose pods no rule is injected: the protected and the exempt ones} */
    public Set<String> untouchedNamespaces() {
        Set<String> untouched = new HashSet<>(protectedPods.namespaces());
        untouched.addAll(exemptNamespaces);
        return untouched;
    }

    /** {@return a text that differs if other settings let the engine evict other pods} */
    public String protectionVersion() {
        return new TreeSet<>(protectedPods.namespaces()) + "" + new TreeSet<>(protectedPods.schedulerNames())
                + new TreeSet<>(exemptNamespaces);
    }

    /** {@return the same settings for an engine that keeps a ledger} */
    public EngineSettings withLedger() {
        return new EngineSettings(
                operatorLimits, protectedPods, exemptNamespaces, replacementTimes, breakers, checks, true);
    }
}
