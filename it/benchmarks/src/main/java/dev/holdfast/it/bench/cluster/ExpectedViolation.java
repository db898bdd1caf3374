package dev.holdfast.it.bench.cluster;

import dev.holdfast.policies.rule.RuleKind;

/**
 * A violation that a {@link PlannedChange} causes, of a rule in a pod's own spec.
 *
 * @param podUid the UID of the pod that has the rule
 */
public record ExpectedViolation(String podUid, RuleKind rule) {}
