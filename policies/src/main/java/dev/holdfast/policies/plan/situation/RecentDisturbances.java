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
    /** The maximum settle time (how long a workload must have been undisturbed before one of its pods moves). */
    Duration LONGEST = Duration.ofMinutes(5);

    /**
     * {@return the last disturbance of the workload; empty if there was none within {@link #LONGEST}}
     *
     * @param exceptPodUid the pod whose changes are ignored
     */
    Optional<Disturbance> last(Workload workload, String exceptPodUid);
}
