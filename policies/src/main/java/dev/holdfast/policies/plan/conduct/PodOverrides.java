package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.model.DisruptionAnnotations;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/**
 * Whether a policy honors the annotations that keep pods, or forgive them for longer.
 *
 * @param honored whether they count at all
 * @param longest how long after the start of a violation they keep a pod at most; absent is without a limit
 */
public record PodOverrides(boolean honored, Optional<Duration> longest) {
    private static final PodOverrides ALL = new PodOverrides(true, Optional.empty());

    /** {@return overrides that honor all annotations without a limit} */
    public static PodOverrides all() {
        return ALL;
    }

    /** {@return the forgiveness with these annotations applied, never shorter than without them} */
    public Duration lengthened(Duration forgiveness, Collection<DisruptionAnnotations> disruptionAnnotations) {
        if (!honored) {
            return forgiveness;
        }
        Duration most = forgiveness;
        for (DisruptionAnnotations some : disruptionAnnotations) {
            Duration asked = some.forgiveness().orElse(Duration.ZERO);
            Duration capped = longest.filter(cap -> cap.compareTo(asked) < 0).orElse(asked);
            most = capped.compareTo(most) > 0 ? capped : most;
        }
        return most;
    }

    /** {@return whether these overrides may allow evictions of pods that the other keeps} */
    public boolean isWiderThan(PodOverrides other) {
        boolean shorter = longest.isPresent()
                && other.longest
                        .filter(cap -> cap.compareTo(longest.get()) <= 0)
                        .isEmpty();
        return other.honored && (!honored || shorter);
    }
}
