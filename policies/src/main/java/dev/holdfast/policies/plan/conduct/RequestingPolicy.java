package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;

/**
 * A policy that requests the rule of a candidate, with the policy's settings for evictions.
 *
 * @param whenInfeasible whether the pod is evicted although no other node would take it
 * @param whenDomainAdded whether pods move when only a new domain breaks their spread
 */
public record RequestingPolicy(
        PolicyId policy,
        DisruptionControls disruptionControls,
        WhenInfeasible whenInfeasible,
        WhenDomainAdded whenDomainAdded) {
    /** Creates a requesting policy that waits until some node would take the pod, and moves no pods to new domains. */
    public RequestingPolicy(PolicyId policy, DisruptionControls disruptionControls) {
        this(policy, disruptionControls, WhenInfeasible.WAIT, WhenDomainAdded.HOLD);
    }
}
