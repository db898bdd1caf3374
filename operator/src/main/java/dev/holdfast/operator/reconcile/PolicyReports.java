package dev.holdfast.operator.reconcile;

import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The engine's latest report on each policy. A new report triggers the reconciliation of its policy. Until that
 * reconciliation reads the report, further reports on the policy trigger nothing: the reconciliation will read the
 * latest one. So a thousand reports may trigger only one reconciliation.
 */
public final class PolicyReports {
    private final Map<PolicyId, PolicyReport> latest = new ConcurrentHashMap<>();
    private final Set<PolicyId> triggered = ConcurrentHashMap.newKeySet();
    private volatile Consumer<PolicyId> trigger = _ -> {};

    /** Stores the report as the latest of its policy. The caller must call {@link #notifyChanged} then. */
    public void store(PolicyReport report) {
        latest.put(report.policy(), report);
    }

    /** Triggers the reconciliation of one policy, unless it is triggered already. */
    public void notifyChanged(PolicyId policy) {
        if (triggered.add(policy)) {
            trigger.accept(policy);
        }
    }

    /** Sets the callback that triggers a reconciliation. */
    void onChange(Consumer<PolicyId> called) {
        trigger = called;
    }

    /**
     * Returns the latest report on a policy; empty before the first report. The next report on the policy triggers a
     * reconciliation again.
     */
    Optional<PolicyReport> takeLatest(PolicyId policy) {
        triggered.remove(policy);
        return Optional.ofNullable(latest.get(policy));
    }

    /** Suppresses triggers for the policy until its next reconciliation, which the caller must schedule. */
    void suppress(PolicyId policy) {
        triggered.add(policy);
    }

    /** Drops the triggers of deleted policies, whose reconciliation never comes. */
    void keepOnly(Predicate<PolicyId> exists) {
        triggered.removeIf(exists.negate());
    }

    /** Drops the report of a deleted policy. */
    public void forget(PolicyId policy) {
        latest.remove(policy);
        triggered.remove(policy);
    }
}
