package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.plan.move.Workload;
import java.time.Duration;
import java.util.Optional;

/** What disturbed workloads lately. Our own evictions and their replacements do not. */
@FunctionalInterface
public interface RecentDisturbances {
    /** No workload is given longer than this to settle. */
    Duration LONGEST = Duration.ofMinutes(5);

    /**
     * {@return what disturbed the workload last, if that was less than {@link #LONGEST} ago}
     *
     * @param exceptPodUid what happened to this pod is left out
     */
    Optional<Disturbance> last(Workload workload, String exceptPodUid);
}
