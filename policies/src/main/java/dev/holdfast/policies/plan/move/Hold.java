package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.evaluate.Reason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The reason why a due violation is not acted on now.
 *
 * @param message names the blocker: {@code PodDisruptionBudget shop/web allows no disruption}
 * @param nextLook when it is checked again at the latest; absent if only a change can end it
 */
public record Hold(Reason reason, String message, Optional<Instant> nextLook) {
    /** {@return an instant as messages show it, without fractions of a second} */
    public static Instant second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    /** {@return the same hold with this text in front of its message} */
    public Hold saying(String before) {
        return new Hold(reason, before + message, nextLook);
    }

    /** {@return a hold that only a change can end} */
    public static Hold untilChange(Reason reason, String message) {
        return new Hold(reason, message, Optional.empty());
    }

    /** {@return a hold that is checked again at an instant} */
    public static Hold until(Reason reason, String message, Instant nextLook) {
        return new Hold(reason, message, Optional.of(nextLook));
    }
}
