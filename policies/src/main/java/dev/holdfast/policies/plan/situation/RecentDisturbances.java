package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.plan.move.Workload;
import java.time.Duration;
import java.util.Optional;

/** The recent disturbances of workloads. Holdfast's own evictions and their replacements are not disturbances. */
@FunctionalInterface
public interface RecentDisturbances {
    /** The longest settle time. */
    Duration LONGEST = Duration.ofMinutes(5);

    /**
     * {@return the last disturbance of the workload, if it was less than {@link #LONGEST} ago}
     *
     * @param exceptPodUid the pod whose changes are ignored
     */
    Optional<Disturbance> last(Workload workload, String exceptPodUid);
}
