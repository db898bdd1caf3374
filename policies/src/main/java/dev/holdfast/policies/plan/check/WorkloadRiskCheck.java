package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;
import java.util.Set;

/** Holds a pod that would lose something when evicted, unless the policy allows that by name. */
final class WorkloadRiskCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        DisruptionControls disruptionControls = candidate.requestingPolicy().disruptionControls();
        return losing(candidate.pod(), disruptionControls.allowed()).or(() -> tooFew(candidate, situation));
    }

    /** {@return the hold for what the pod itself would lose, at any time; empty if it would lose nothing} */
    static Optional<Hold> losing(Pod pod, Set<Reason> allowed) {
        VictimProtection victimProtection = pod.victimProtection();
        if (victimProtection.restartPolicy() != RestartPolicy.ALWAYS && !allowed.contains(Reason.RUNS_TO_COMPLETION)) {
            return Optional.of(Hold.untilChange(
                    Reason.RUNS_TO_COMPLETION, "it runs to completion, and would count as failed after an eviction"));
        }
        if (victimProtection.localStorage() && !allowed.contains(Reason.LOCAL_STORAGE)) {
            return Optional.of(Hold.untilChange(
                    Reason.LOCAL_STORAGE, "it has an emptyDir on its node's disk, whose files would be lost"));
        }
        return Optional.empty();
    }

    private static Optional<Hold> tooFew(Candidate candidate, Situation situation) {
        DisruptionControls disruptionControls = candidate.requestingPolicy().disruptionControls();
        int needed = disruptionControls.limits().minReplicas();
        if (candidate.workload().isEmpty()
                || disruptionControls.allowed().contains(Reason.TOO_FEW_REPLICAS)
                || needed == 0) {
            return Optional.empty();
        }
        Workload workload = candidate.workload().get();
        int leaving = situation
                .moves()
                .inFlight(move -> move.workload().equals(candidate.workload())
                        && situation.cluster().replicaCounts().isReady(move.victim()));
        int others = situation.cluster().replicaCounts().ready(workload)
                - leaving
                - (situation.cluster().replicaCounts().isReady(candidate.pod()) ? 1 : 0);
        return others >= needed
                ? Optional.empty()
                : Optional.of(Hold.untilChange(
                        Reason.TOO_FEW_REPLICAS,
                        others + (others == 1 ? " other pod of " : " other pods of ") + workload
                                + " would stay Ready, and " + needed + " must"));
    }
}
