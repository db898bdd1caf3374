package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.plan.move.Workload;
import java.time.Duration;
import java.util.Optional;

/**
 * The recent changes of pods after which their workload needs time to settle: a pod was created, deleted or turned
 * unready. Holdfast's own evictions and the replacements of their victims do not count.
 */
@FunctionalInterface
public interface RecentDisturbances {
    /** The longest settle time: pods of a workload may move if it was undisturbed for this long. */
    Duration LONGEST = Duration.ofMinutes(5);

    /**
     * {@return the last disturbance of the workload; empty if there was none within {@link #LONGEST}}
     *
     * @param exceptPodUid the pod whose changes are ignored
     */
    Optional<Disturbance> last(Workload workload, String exceptPodUid);
}
