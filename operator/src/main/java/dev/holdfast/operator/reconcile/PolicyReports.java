package dev.holdfast.operator.reconcile;

import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The engine's latest word on each policy, and the bell that is rung when it changes: once until somebody looks, so
 * that a thousand reports ring once.
 */
public final class PolicyReports {
    private final Map<PolicyId, PolicyReport> latest = new ConcurrentHashMap<>();
    private final Set<PolicyId> rung = ConcurrentHashMap.newKeySet();
    private volatile Consumer<PolicyId> bell = _ -> {};

    /** Takes a report; never blocks. */
    public void publish(PolicyReport report) {
        latest.put(report.policy(), report);
        ring(report.policy());
    }

    /** Rings for one policy, if nobody has been called for it yet. */
    void ring(PolicyId policy) {
        if (rung.add(policy)) {
            bell.accept(policy);
        }
    }

    /** Says who is called. */
    void onRing(Consumer<PolicyId> called) {
        bell = called;
    }

    /** {@return the latest report; from now on a change rings again} */
    Optional<PolicyReport> look(PolicyId policy) {
        rung.remove(policy);
        return Optional.ofNullable(latest.get(policy));
    }

    /** Rings no more for the policy until the next look, which is certain to come by itself. */
    void hush(PolicyId policy) {
        rung.add(policy);
    }

    /** Forgets a policy that is gone. */
    public void forget(PolicyId policy) {
        latest.remove(policy);
        rung.remove(policy);
    }
}
