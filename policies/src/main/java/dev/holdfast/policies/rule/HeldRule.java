package dev.holdfast.policies.rule;

import java.util.ArrayList;
import java.util.List;

/**
 * A rule that one or more policies want kept for a pod: one rule, however many ask.
 *
 * @param rule as written, label keys not yet merged
 * @param asks by policy, at least one
 */
public record HeldRule(Rule rule, RuleIdentity identity, List<Ask> asks) {
    public HeldRule {
        asks = List.copyOf(asks);
    }

    /**
     * What one policy wants.
     *
     * @param name the rule's name in the policy, or its kind for a rule of the pod's own spec
     * @param own whether the rule stands in the pod's own spec, so that the scheduler knows it too
     */
    public record Ask(PolicyId policy, String name, Enforcement enforcement, boolean own) {}

    /** {@return the same rule with the asks of both} */
    public HeldRule and(HeldRule other) {
        List<Ask> both = new ArrayList<>(asks);
        both.addAll(other.asks);
        return new HeldRule(rule, identity, both);
    }
}
