package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.time.Instant;

/**
 * A policy that requests the rule of a candidate, with the policy's settings for evictions.
 *
 * @param whenInfeasible whether the pod is evicted although no other node would take it
 * @param whenDomainAdded whether pods move when only a new domain breaks their spread
 * @param settleTime how long the workload must be undisturbed before a move, and how long the new node must have been
 *     Ready
 * @param countedFrom from when the forgiveness of this policy counts: the start of the violation, or a later instant at
 *     which it was restarted
 * @param dueSince when the violation became due for this policy
 */
public record RequestingPolicy(
        PolicyId policy,
        DisruptionControls disruptionControls,
        WhenInfeasible whenInfeasible,
        WhenDomainAdded whenDomainAdded,
        Duration settleTime,
        Instant countedFrom,
        Instant dueSince) {
    /**
     * {@return whether this policy moves pods without regard to namespaced policies: it is a cluster policy with {@code
     * podOverrides: Ignore}, or one whose {@code maxKeepSeconds} have passed}
     */
    public boolean overridesTenants(Instant since, Instant now) {
        return policy.isOfCluster() && !disruptionControls.overrides().honorsAt(now, since);
    }

    /**
     * {@return whether this policy moves pods without regard to the rules of other tenants' pods: it overrides tenants,
     * or is a cluster policy without {@code maxKeepSeconds} and a day has passed}
     */
    public boolean overridesBystanders(Instant since, Instant now) {
        return policy.isOfCluster() && !disruptionControls.overrides().honorsBystandersAt(now, since);
    }

    /** {@return the same policy with another settle time} */
    public RequestingPolicy withSettleTime(Duration other) {
        return new RequestingPolicy(
                policy, disruptionControls, whenInfeasible, whenDomainAdded, other, countedFrom, dueSince);
    }
}
