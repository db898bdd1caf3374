package dev.holdfast.policies.forgive;

import dev.holdfast.policies.evaluate.Cause;
import java.time.Instant;

/**
 * A violation: one rule of one pod on one node, violated without interruption since an instant. Its details may change
 * over time, so the caller reads them from the cluster when needed.
 *
 * @param cause the change that broke the rule at that instant
 */
public record Violation(ViolationKey key, Instant since, Cause cause) {
    /** {@return the same violation with another start instant} */
    Violation since(Instant beginning) {
        return new Violation(key, beginning, cause);
    }
}
