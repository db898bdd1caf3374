package dev.holdfast.policies.forgive;

import java.time.Instant;

/**
 * A violation: one rule of one pod on one node, violated without interruption since an instant. The pods or nodes that
 * violate the rule may change meanwhile, and are not stored here.
 *
 * @param since when the clock of the violation started
 * @param cause the change that broke the rule
 */
public record Violation(ViolationKey key, Instant since, Cause cause) {
    /** {@return a copy whose clock started at {@code beginning}} */
    Violation since(Instant beginning) {
        return new Violation(key, beginning, cause);
    }
}
