package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.ReplicaCounts;
import dev.holdfast.policies.plan.move.Workload;
import java.util.Optional;

/**
 * Holds a pod if its move would leave more than {@code maxUnavailable} of its workload's desired pods unavailable. A
 * pod is unavailable while it is missing, not Ready or terminating, even if it has been so for long. The move of a pod
 * that is not Ready makes no further pod unavailable.
 *
 * <p>The hold lasts until a person repairs the other pods, because they may fail for the same reason that the next one
 * would: the message names them.
 *
 * <p>Example: of 10 desired pods 9 are Ready, and {@code maxUnavailable} is 10 %. The pod that is not Ready may move.
 * The others are held, as 2 pods would not be Ready.
 */
final class WorkloadDegradedCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        MaxUnavailable maxUnavailable =
                candidate.requestingPolicy().disruptionControls().limits().maxUnavailable();
        return maxUnavailable instanceof MaxUnavailable.Unlimited
                ? Optional.empty()
                : candidate.workload().flatMap(workload -> against(candidate, workload, maxUnavailable, situation));
    }

    private static Optional<Hold> against(
            Candidate candidate, Workload workload, MaxUnavailable maxUnavailable, Situation situation) {
        ReplicaCounts replicaCounts = situation.cluster().replicaCounts();
        long desired = replicaCounts.desired(workload);
        long allowed = maxUnavailable.of(desired).orElse(Long.MAX_VALUE);
        int leaving = situation
                .moves()
                .inFlight(move -> move.workload().equals(candidate.workload()) && replicaCounts.isReady(move.victim()));
        long now = Math.max(0, desired - (replicaCounts.ready(workload) - leaving));
        long then = now + (replicaCounts.isReady(candidate.pod()) ? 1 : 0);
        return then <= allowed
                ? Optional.empty()
                : Optional.of(Hold.untilChange(
                        Reason.WORKLOAD_DEGRADED,
                        then + " of the " + desired + " desired pods of " + workload
                                + " would be missing or not Ready" + counting(leaving)
                                + ", and limits.maxUnavailable allows " + allowed
                                + naming(replicaCounts.notReady(workload))));
    }

    /** {@return the part of the message that names the pods to repair; empty if all that exist are Ready} */
    private static String naming(String notReady) {
        return notReady.isEmpty() ? "" : "; not Ready: " + notReady;
    }

    /** {@return the part of the message that says how many pods Holdfast itself is moving; empty if it moves none} */
    private static String counting(int leaving) {
        return leaving == 0 ? "" : " (Holdfast is moving " + leaving + " of them)";
    }
}
