package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.model.DisruptionAnnotations;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * How far a policy honors requests of tenants: Holdfast's annotations that forbid an eviction, for example {@code
 * holdfast.dev/keep}, or lengthen the forgiveness. For a cluster policy, the rules of namespaced policies, which may
 * close nodes to a pod, are such requests too.
 *
 * @param honored whether the policy honors such requests at all
 * @param longest the maximum time after the start of a violation for which they can prevent an eviction; absent means
 *     that there is no maximum, but a day for the rules of other tenants' pods
 */
public record PodOverrides(boolean honored, Optional<Duration> longest) {
    /** How long rules of other tenants' pods may close nodes to a pod if the cluster policy gives no time. */
    private static final Duration BYSTANDERS_CLOSE_NODES = Duration.ofDays(1);

    private static final PodOverrides ALL = new PodOverrides(true, Optional.empty());

    /** {@return a setting that honors all requests without a time limit} */
    public static PodOverrides all() {
        return ALL;
    }

    /**
     * {@return whether requests of tenants can prevent an eviction now}
     *
     * @param since the start of the violation
     */
    public boolean honorsAt(Instant now, Instant since) {
        return honored
                && longest.filter(most -> !now.isBefore(since.plus(most))).isEmpty();
    }

    /**
     * {@return whether rules of other tenants' pods can close nodes to the pod now} Without a maximum time, such rules
     * can for a day: nothing asks those tenants to withdraw such a rule.
     *
     * @param since the start of the violation
     */
    public boolean honorsBystandersAt(Instant now, Instant since) {
        return honorsAt(now, since) && now.isBefore(since.plus(longest.orElse(BYSTANDERS_CLOSE_NODES)));
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

    /**
     * {@return whether this setting may allow an eviction that annotations prevent under {@code other}} A wider setting
     * honors no annotations, or honors them for a shorter time.
     */
    public boolean isWiderThan(PodOverrides other) {
        boolean shorter = longest.isPresent()
                && other.longest
                        .filter(cap -> cap.compareTo(longest.get()) <= 0)
                        .isEmpty();
        return other.honored && (!honored || shorter);
    }
}
