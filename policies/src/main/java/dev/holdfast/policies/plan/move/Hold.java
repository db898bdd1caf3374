package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.evaluate.Reason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Why a due violation is not acted on now.
 *
 * @param message names the blocker: {@code PodDisruptionBudget shop/web allows no disruption}
 * @param nextLook when it is looked at again at the latest; absent when only a change can lift it
 */
public record Hold(Reason reason, String message, Optional<Instant> nextLook) {
    /** {@return an instant as messages tell it: nobody needs less than a second of it} */
    public static Instant second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    /** {@return the same hold, its message after these words} */
    public Hold saying(String before) {
        return new Hold(reason, before + message, nextLook);
    }

    /** {@return a hold that only a change can lift} */
    public static Hold untilChange(Reason reason, String message) {
        return new Hold(reason, message, Optional.empty());
    }

    /** {@return a hold that is looked at again at an instant} */
    public static Hold until(Reason reason, String message, Instant nextLook) {
        return new Hold(reason, message, Optional.of(nextLook));
    }
}
