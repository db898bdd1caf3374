package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.conduct.RequestingPolicy;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.OwnerVictim;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.plan.situation.SubstituteVictim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Holds a substitute victim, a pod of lower priority that would move instead of the rule owner, while its move could be
 * futile. That is so if the rule owner may soon leave its node, or if another pod in the owner's way cannot move.
 */
final class SubstituteVictimCheck implements Check {
    /** The checks of the rule owner: it must have started, and nothing else may be about to remove it. */
    private static final List<Check> OF_OWNER = List.of(
            new NotStartedCheck(), new BeingDisruptedCheck(), new LeavingNodeCheck(), new WorkloadUnsettledCheck());

    /** The checks of the other pods in the owner's way, without those whose holds soon end by themselves. */
    private static final List<Check> OF_REST = List.of(
            new ProtectedPodCheck(),
            new KeptCheck(),
            new LostWorkCheck(),
            new TooFewReplicasCheck(),
            new ExceptionAndWindowCheck(),
            new FutileCheck());

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
     * {@return the hold of a victim younger than the settle time; the violation may be older and have other causes}
     */
    private static Optional<Hold> newlyCome(Candidate candidate, Instant now) {
        Instant settled = candidate.pod().life().creationTime().plus(candidate.settleTime());
        return now.isBefore(settled)
                ? Optional.of(Hold.until(
                        Reason.WORKLOAD_UNSETTLED,
                        "it was created only now, and is given "
                                + candidate.settleTime().toSeconds() + " s to settle",
                        settled))
                : Optional.empty();
    }

    private static Optional<Hold> against(
            SubstituteVictim substituteVictim, RequestingPolicy requestingPolicy, Situation situation) {
        Candidate owner = substituteVictim.owner().requestedBy(requestingPolicy);
        return leaving(owner, situation)
                .or(() -> first(OF_OWNER, owner, situation))
                .map(hold -> hold.saying("pod " + owner.pod().name() + " may not stay on its node: "))
                .or(() -> substituteVictim.rest().stream()
                        .map(next -> next.requestedBy(requestingPolicy))
                        .flatMap(next -> first(OF_REST, next, situation)
                                .map(hold -> hold.saying("pod " + next.pod().name() + " must be moved after it: "))
                                .stream())
                        .findFirst());
    }

    private static Optional<Hold> first(List<Check> checks, Candidate candidate, Situation situation) {
        return checks.stream()
                .flatMap(check -> check.against(candidate, situation).stream())
                .findFirst();
    }
}
