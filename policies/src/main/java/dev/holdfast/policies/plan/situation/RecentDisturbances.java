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
     * {@return the last disturbance of the workload that counts; empty if there was none within {@link #LONGEST}} Only
     * the last disturbance of each pod counts.
     *
     * <p>Example: pods a, b and c were disturbed at 12:00, 12:01 and 12:02. With one disregarded pod, the result is the
     * disturbance of b.
     *
     * @param exceptPodUid the pod whose changes are ignored
     * @param disregarded the number of pods whose changes are ignored as well: those that changed last
     */
    Optional<Disturbance> last(Workload workload, String exceptPodUid, int disregarded);
}
