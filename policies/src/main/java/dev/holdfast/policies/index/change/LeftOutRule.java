package dev.holdfast.policies.index.change;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.RuleIdentity;

/**
 * A rule that the pods of a namespace are not held to, because rules of that namespace take too much of the heap.
 *
 * @param applied the rule, with the policies that requested it
 * @param pod one of the pods that have the rule
 * @param bytes the heap that the counts of the rule took, an estimate
 */
public record LeftOutRule(AppliedRule applied, Pod pod, long bytes) {
    /** {@return the identity of the rule} */
    public RuleIdentity identity() {
        return applied.identity();
    }

    /**
     * {@return whether a cluster policy has the rule itself} No tenant can make such rules many, and none must get rid
     * of one by rules of its own. So these are left out last.
     */
    public boolean isOfClusterPolicy() {
        return applied.requests().stream().anyMatch(AppliedRule.Request::isOfClusterPolicy);
    }
}
