package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.evaluate.Reason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The reason why a due violation is not acted on now.
 *
 * @param message names the blocker: {@code PodDisruptionBudget shop/web allows no disruption}
 * @param nextLook when the violation is checked again at the latest; absent if the passing of time cannot end the hold
 */
public record Hold(Reason reason, String message, Optional<Instant> nextLook) {
    /** {@return the instant without fractions of a second, as messages show it} */
    public static Instant second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    /** {@return the same hold with the given text in front of its message} */
    public Hold saying(String before) {
        return new Hold(reason, before + message, nextLook);
    }

    /** {@return a hold that ends only by a change of the cluster or a policy, not by the passing of time} */
    public static Hold untilChange(Reason reason, String message) {
        return new Hold(reason, message, Optional.empty());
    }

    /** {@return a hold whose violation is checked again at the given instant} */
    public static Hold until(Reason reason, String message, Instant nextLook) {
        return new Hold(reason, message, Optional.of(nextLook));
    }
}
