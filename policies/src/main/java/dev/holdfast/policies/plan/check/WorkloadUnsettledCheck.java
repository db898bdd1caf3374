package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Disturbance;
import dev.holdfast.policies.plan.situation.Situation;
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
 */
final class WorkloadUnsettledCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return candidate
                .workload()
                .flatMap(workload -> situation
                        .clusterSignals()
                        .recentDisturbances()
                        .last(workload, candidate.pod().uid())
                        .flatMap(last -> unsettled(workload, last, candidate.settleTime(), situation.now())));
    }

    private static Optional<Hold> unsettled(Workload workload, Disturbance last, Duration settleTime, Instant now) {
        Instant settled = last.at().plus(settleTime);
        return now.isBefore(settled)
                ? Optional.of(Hold.until(
                        Reason.WORKLOAD_UNSETTLED,
                        last + ", and " + workload + " is given " + settleTime.toSeconds() + " s to settle after that",
                        settled))
                : Optional.empty();
    }
}
