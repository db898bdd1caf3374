package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.plan.move.Workload;
import java.time.Duration;
import java.time.Instant;
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

    /**
     * {@return whether all disturbances within {@link #LONGEST} are changes of the workload's scale} So at most as many
     * pods were created as its replicas rose, and at most as many were deleted as they fell. A pod that turned unready
     * is never a change of scale.
     *
     * <p>Example: the replicas rose from 5 to 6, and fell to 5 again. One pod was created and one deleted: that is
     * scale. If a drain deletes another pod, two were deleted: that is more than scale.
     *
     * @param exceptPodUid the pod whose unreadiness is ignored
     * @param disregarded the number of further pods that may have changed for another cause
     */
    default boolean areOfScale(Workload workload, String exceptPodUid, int disregarded, Instant now) {
        return false;
    }
}
