package dev.holdfast.policies.soft;

import dev.holdfast.policies.evaluate.ViolationDetail;

/**
 * A soft rule that is unmet on the node of its pod.
 *
 * @param detail how the required rule with the same content would be violated
 */
public record UnmetRule(SoftRule rule, ViolationDetail detail) {}
