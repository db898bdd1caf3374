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
 * A workload that is being rolled out, scaled, drained or that is recovering is left alone until none of its pods has been
 * created, deleted or has lost its readiness for the settle time: that is the forgiveness, at most five minutes. The
 * candidate itself is left out: a pod that is replaced over and over, or that crashes, may need the move.
 *
 * <p>With a settle time of 300 s, of a roll-out that replaces a pod each minute from 12:00 to 12:09, what was due at 12:03 is
 * moved at 12:14.
 */
final class WorkloadUnsettledCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return candidate
                .workload()
                .flatMap(workload -> situation
                        .signals()
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
