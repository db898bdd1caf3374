package dev.holdfast.policies.forgive;

import dev.holdfast.policies.evaluate.Cause;
import java.time.Instant;

/**
 * A rule that is broken now, without interruption since an instant. How it is broken may change meanwhile, and is read
 * off the cluster whenever it is asked for.
 *
 * @param cause what broke it at that instant
 */
public record Violation(ViolationKey key, Instant since, Cause cause) {
    /** {@return the same violation with another beginning} */
    Violation since(Instant beginning) {
        return new Violation(key, beginning, cause);
    }
}
