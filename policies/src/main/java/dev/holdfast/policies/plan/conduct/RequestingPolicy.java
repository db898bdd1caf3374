package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;

/** A requesting policy: one that requests the rule of a candidate, with its disruption controls. */
public record RequestingPolicy(
        PolicyId policy,
        DisruptionControls disruptionControls,
        WhenInfeasible whenInfeasible,
        WhenDomainAdded whenDomainAdded) {
    /** A policy that waits for a feasible node, and does not move pods to new domains. */
    public RequestingPolicy(PolicyId policy, DisruptionControls disruptionControls) {
        this(policy, disruptionControls, WhenInfeasible.WAIT, WhenDomainAdded.HOLD);
    }
}
