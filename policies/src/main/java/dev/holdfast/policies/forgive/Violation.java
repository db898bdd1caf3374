package dev.holdfast.policies.forgive;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Cause;
import java.time.Instant;

/**
 * A rule that is broken now, without interruption since an instant.
 *
 * @param cause what broke it at that instant
 * @param breach how it is broken now; may differ from how it began
 */
public record Violation(ViolationKey key, Instant since, Cause cause, Breach breach) {
    /** {@return the same violation, broken in another way now} */
    Violation now(Breach changed) {
        return new Violation(key, since, cause, changed);
    }

    /** {@return the same violation with another beginning} */
    Violation since(Instant beginning) {
        return new Violation(key, beginning, cause, breach);
    }
}
