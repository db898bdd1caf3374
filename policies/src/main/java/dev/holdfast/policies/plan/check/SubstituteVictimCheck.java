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
 * A pod goes instead of a rule owner only while that is there to stay, and when all others in its way may go after it: else it
 * would go in vain.
 */
final class SubstituteVictimCheck implements Check {
    /** By which the owner would be gone soon anyway, or is only just coming. */
    private static final List<Check> OF_OWNER = List.of(
            new NotStartedCheck(), new BeingDisruptedCheck(), new LeavingNodeCheck(), new WorkloadUnsettledCheck());

    /** What does not pass by itself, or not soon. */
    private static final List<Check> OF_REST = List.of(
            new ProtectedPodCheck(),
            new OptOutCheck(),
            new WorkloadRiskCheck(),
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

    /** The rule may have been broken for long, and by others before this one. */
    private static Optional<Hold> newlyCome(Candidate candidate, Instant now) {
        Instant settled = candidate.pod().life().creationTime().plus(candidate.settleTime());
        return now.isBefore(settled)
                ? Optional.of(Hold.until(
                        Reason.WORKLOAD_UNSETTLED,
                        "it has only just come, and is given "
                                + candidate.settleTime().toSeconds() + " s to settle",
                        settled))
                : Optional.empty();
    }

    private static Optional<Hold> against(
            SubstituteVictim substituteVictim, RequestingPolicy requestingPolicy, Situation situation) {
        Candidate owner = substituteVictim.owner().askedBy(requestingPolicy);
        return leaving(owner, situation)
                .or(() -> first(OF_OWNER, owner, situation))
                .map(hold -> hold.saying("pod " + owner.pod().name() + " may not stay: "))
                .or(() -> substituteVictim.rest().stream()
                        .map(next -> next.askedBy(requestingPolicy))
                        .flatMap(next -> first(OF_REST, next, situation)
                                .map(hold -> hold.saying("pod " + next.pod().name() + " is to go after it: "))
                                .stream())
                        .findFirst());
    }

    private static Optional<Hold> first(List<Check> checks, Candidate candidate, Situation situation) {
        return checks.stream()
                .flatMap(check -> check.against(candidate, situation).stream())
                .findFirst();
    }
}
