package dev.holdfast.operator.offline.whatif;

import dev.holdfast.policies.rule.Policy;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;

/** How long to simulate until the operator has decided about each present violation. */
public final class Horizon {
    /** How long after the end of a forgiveness most moves are over. */
    private static final Duration AFTER_FORGIVENESS = Duration.ofMinutes(10);

    private Horizon() {}

    /** {@return ten minutes more than the longest forgiveness of these policies; ten minutes if there is none} */
    public static Duration of(Collection<Policy> policies) {
        return policies.stream()
                .map(Policy::longestForgiveness)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO)
                .plus(AFTER_FORGIVENESS);
    }
}
