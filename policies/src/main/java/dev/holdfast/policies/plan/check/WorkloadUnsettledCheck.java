package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Disturbance;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.ReplicaCounts;
import dev.holdfast.policies.plan.move.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Holds the pods of a workload that is being rolled out, scaled or drained, or that is recovering. The hold ends when
 * none of the workload's pods has been created, deleted or turned unready during the settle time. The settle time is
 * the forgiveness, but at most five minutes. Changes of the candidate's own pod do not count, because a crashing pod
 * may need the move.
 *
 * <p>Example with a settle time of 300 s: a roll-out replaces a pod each minute from 12:00 to 12:09. A pod that was due
 * at 12:03 moves at 12:14.
 *
 * <p>Changes of scale alone do not count while the workload is whole, because an autoscaler may change it every few
 * minutes. A whole workload has its desired pods, all of them Ready, by one controller alone: during a roll-out of a
 * Deployment, two ReplicaSets have pods. The candidate itself need not be Ready.
 *
 * <p>Of a workload of 50 pods or more, changes of up to 2 % of its pods do not count. Otherwise a single pod that
 * crashes every few minutes would hold all others for ever.
 */
final class WorkloadUnsettledCheck implements Check {
    private static final long LARGE = 50;
    private static final int DISREGARDED_PERCENT = 2;
    private static final int PERCENT = 100;

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return candidate.workload().flatMap(workload -> against(candidate, workload, situation));
    }

    private static Optional<Hold> against(Candidate candidate, Workload workload, Situation situation) {
        long desired = situation.cluster().replicaCounts().desired(workload);
        int disregarded = desired < LARGE ? 0 : Math.toIntExact(desired * DISREGARDED_PERCENT / PERCENT);
        return situation
                .clusterSignals()
                .recentDisturbances()
                .last(workload, candidate.pod().uid(), disregarded)
                .flatMap(last -> unsettled(workload, last, disregarded, candidate.settleTime(), situation.now()))
                .filter(_ -> !isOnlyScaled(candidate, workload, disregarded, situation));
    }

    private static boolean isOnlyScaled(Candidate candidate, Workload workload, int disregarded, Situation situation) {
        ReplicaCounts replicas = situation.cluster().replicaCounts();
        long available = (long) replicas.ready(workload) + (replicas.isReady(candidate.pod()) ? 0 : 1) + disregarded;
        return replicas.hasOneController(workload)
                && replicas.all(workload) <= replicas.desired(workload)
                && available >= replicas.desired(workload)
                && situation
                        .clusterSignals()
                        .recentDisturbances()
                        .areOfScale(workload, candidate.pod().uid(), disregarded, situation.now());
    }

    private static Optional<Hold> unsettled(
            Workload workload, Disturbance last, int disregarded, Duration settleTime, Instant now) {
        Instant settled = last.at().plus(settleTime);
        return now.isBefore(settled)
                ? Optional.of(Hold.until(
                        Reason.WORKLOAD_UNSETTLED,
                        last + after(disregarded) + ", and " + workload + " is given " + settleTime.toSeconds()
                                + " s to settle after that",
                        settled))
                : Optional.empty();
    }

    /** {@return the part of the message that says which later changes do not count} */
    private static String after(int disregarded) {
        return disregarded == 0
                ? ""
                : " (not counting " + disregarded + (disregarded == 1 ? " pod" : " pods") + " that changed later, "
                        + DISREGARDED_PERCENT + " % of the workload)";
    }
}
