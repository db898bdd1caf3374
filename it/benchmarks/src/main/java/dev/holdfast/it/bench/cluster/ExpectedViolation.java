package dev.holdfast.it.bench.cluster;

import dev.holdfast.policies.rule.RuleKind;

/**
 * One violation that a change brings: a rule of a pod's own spec.
 *
 * @param podUid the rule owner
 */
public record ExpectedViolation(String podUid, RuleKind rule) {}
