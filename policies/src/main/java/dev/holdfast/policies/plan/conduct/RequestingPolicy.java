package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;

/** A policy for which a candidate would be moved, and how far it goes for the rule. */
public record RequestingPolicy(
        PolicyId policy,
        DisruptionControls disruptionControls,
        WhenInfeasible whenInfeasible,
        WhenDomainAdded whenDomainAdded) {
    /** A policy that waits for a place, and for which new domains move nobody. */
    public RequestingPolicy(PolicyId policy, DisruptionControls disruptionControls) {
        this(policy, disruptionControls, WhenInfeasible.WAIT, WhenDomainAdded.HOLD);
    }
}
