package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;

/** A policy for which a candidate would be moved, and how far it goes for the rule. */
public record Asker(PolicyId policy, Conduct conduct, WhenInfeasible whenInfeasible, WhenDomainAdded whenDomainAdded) {
    /** A policy that waits for a place, and for which new domains move nobody. */
    public Asker(PolicyId policy, Conduct conduct) {
        this(policy, conduct, WhenInfeasible.WAIT, WhenDomainAdded.HOLD);
    }
}
