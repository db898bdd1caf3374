package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.model.DisruptionAnnotations;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/**
 * Whether a policy honors annotations that keep a pod, or that lengthen the forgiveness of its violations.
 *
 * @param honored whether the policy honors such annotations at all
 * @param longest how long after the start of a violation they keep a pod at most; absent means without a limit
 */
public record PodOverrides(boolean honored, Optional<Duration> longest) {
    private static final PodOverrides ALL = new PodOverrides(true, Optional.empty());

    /** {@return a setting that honors all annotations without a time limit} */
    public static PodOverrides all() {
        return ALL;
    }

    /** {@return the forgiveness of a violation with these annotations applied: at least the given forgiveness} */
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

    /** {@return whether this setting may allow evictions of pods that annotations keep under the other setting} */
    public boolean isWiderThan(PodOverrides other) {
        boolean shorter = longest.isPresent()
                && other.longest
                        .filter(cap -> cap.compareTo(longest.get()) <= 0)
                        .isEmpty();
        return other.honored && (!honored || shorter);
    }
}
