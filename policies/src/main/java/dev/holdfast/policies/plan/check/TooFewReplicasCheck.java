package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.ReplicaCounts;
import dev.holdfast.policies.plan.move.Workload;
import java.util.Optional;

/**
 * Holds a pod if its move would leave fewer than {@code minReplicas} Ready pods of its workload. Victims of moves in
 * flight do not count as Ready.
 *
 * <p>Example: with {@code minReplicas: 2} and three Ready pods, one may move; a second one waits for the replacement of
 * the first.
 */
final class TooFewReplicasCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        DisruptionControls disruptionControls = candidate.requestingPolicy().disruptionControls();
        int needed = disruptionControls.limits().minReplicas();
        if (candidate.workload().isEmpty()
                || disruptionControls.allowed().contains(Reason.TOO_FEW_REPLICAS)
                || needed == 0) {
            return Optional.empty();
        }
        Workload workload = candidate.workload().get();
        ReplicaCounts replicaCounts = situation.cluster().replicaCounts();
        int leaving = situation
                .moves()
                .inFlight(move -> move.workload().equals(candidate.workload()) && replicaCounts.isReady(move.victim()));
        int others = replicaCounts.ready(workload) - leaving - (replicaCounts.isReady(candidate.pod()) ? 1 : 0);
        return others >= needed
                ? Optional.empty()
                : Optional.of(Hold.untilChange(
                        Reason.TOO_FEW_REPLICAS,
                        others + (others == 1 ? " other pod of " : " other pods of ") + workload
                                + " would stay Ready, and " + needed + " must"));
    }
}
