package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.RequestingPolicy;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.OwnerVictim;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.input.SubstituteVictim;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Holds a substitute victim, a pod of lower priority that would move instead of the rule owner, while its move could be
 * futile. The move is futile if the rule owner soon leaves its node, or if another pod that breaks the rule cannot
 * move.
 */
final class SubstituteVictimCheck implements Check {
    /**
     * The checks that the rule owner must pass before another pod moves for it. These checks fail if the rule owner has
     * not started, if its node is not Ready, if one of both is about to be removed, or if the workload is changing.
     */
    private static final List<Check> OF_OWNER = List.of(
            new NodeNotReadyCheck(),
            new NotStartedCheck(),
            new BeingDisruptedCheck(),
            new LeavingNodeCheck(),
            new WorkloadUnsettledCheck());

    /**
     * The checks that the other pods in the way must pass, since they must move after the victim. Checks whose holds
     * soon end by themselves are left out.
     */
    private static final List<Check> OF_REST = List.of(
            new ProtectedPodCheck(),
            new KeptCheck(),
            new LostWorkCheck(),
            new TooFewReplicasCheck(),
            new WorkloadDegradedCheck(),
            new ReplacementCheck(),
            new NodeNotReadyCheck(),
            new ExceptionAndWindowCheck(),
            new FutileCheck(),
            new RestlessCheck());

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return switch (candidate.strategy()) {
            case OwnerVictim _ -> Optional.empty();
            case SubstituteVictim substituteVictim ->
                against(substituteVictim, candidate.requestingPolicy(), situation)
                        .or(() -> newlyCome(candidate, situation.now()));
        };
    }

    private static Optional<Hold> leaving(Candidate owner, Situation situation) {
        return situation.moves().isVictim(owner.pod().uid())
                ? Optional.of(Hold.untilChange(Reason.MOVE_IN_SCOPE, "it is being moved for another rule"))
                : Optional.empty();
    }

    /**
     * {@return the hold of a victim that was created only a short time ago, within the settle time (the forgiveness, at
     * most five minutes)} The violation may be older, because other pods may have broken the rule before.
     */
    private static Optional<Hold> newlyCome(Candidate candidate, Instant now) {
        Instant settled = candidate.pod().life().creationTime().plus(candidate.settleTime());
        return now.isBefore(settled)
                ? Optional.of(Hold.until(
                        Reason.WORKLOAD_UNSETTLED,
                        "the pod is younger than " + candidate.settleTime().toSeconds()
                                + " s, and Holdfast gives new pods that time to settle",
                        settled))
                : Optional.empty();
    }

    private static Optional<Hold> against(
            SubstituteVictim substituteVictim, RequestingPolicy requestingPolicy, Situation situation) {
        Candidate owner = substituteVictim.owner().requestedBy(requestingPolicy);
        return leaving(owner, situation)
                .or(() -> first(OF_OWNER, owner, situation))
                .map(hold -> hold.saying("pod " + owner.pod().name() + " may leave its node: "))
                .or(() -> substituteVictim.rest().stream()
                        .map(next -> next.requestedBy(requestingPolicy))
                        .flatMap(next -> first(OF_REST, next, situation)
                                .map(hold -> hold.saying("pod " + next.pod().name() + " must be moved too: "))
                                .stream())
                        .findFirst());
    }

    private static Optional<Hold> first(List<Check> checks, Candidate candidate, Situation situation) {
        return checks.stream()
                .flatMap(check -> check.against(candidate, situation).stream())
                .findFirst();
    }
}
