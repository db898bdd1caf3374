package dev.holdfast.it.bench.cluster;

import dev.holdfast.policies.rule.RuleKind;

/**
 * A violation that a change causes: a rule of a pod's own spec.
 *
 * @param podUid the rule owner
 */
public record ExpectedViolation(String podUid, RuleKind rule) {}
