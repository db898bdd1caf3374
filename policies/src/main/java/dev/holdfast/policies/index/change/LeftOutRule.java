package dev.holdfast.policies.index.change;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;

/**
 * A rule that the pods of a namespace are not held to, because rules of that namespace take too much of the heap.
 *
 * @param pod one of the pods that have the rule
 * @param bytes the heap that the counts of the rule took, an estimate
 */
public record LeftOutRule(RuleIdentity identity, Rule rule, Pod pod, long bytes) {}
