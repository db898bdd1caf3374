package dev.holdfast.policies.plan;

import java.util.List;
import java.util.Optional;

/**
 * A pod goes instead of a rule owner only while that is there to stay, and when all others in its way may go after it: else it
 * would go in vain.
 */
final class StandInCheck implements Check {
    /** By which the owner would be gone soon anyway, or is only just coming. */
    private static final List<Check> OF_OWNER =
            List.of(new NotStartedCheck(), new DisruptedCheck(), new LeavingNodeCheck(), new UnsettledCheck());

    /** What does not pass by itself, or not soon. */
    private static final List<Check> OF_REST =
            List.of(new VictimCheck(), new WishCheck(), new AllowCheck(), new ConsentCheck(), new FutileCheck());

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return candidate.standIn().flatMap(it -> against(it, candidate.asker(), situation));
    }

    private static Optional<Hold> against(StandIn standIn, Asker asker, Situation situation) {
        Candidate owner = standIn.owner().askedBy(asker);
        return first(OF_OWNER, owner, situation)
                .map(hold -> hold.saying("pod " + owner.pod().name() + " may not stay: "))
                .or(() -> standIn.rest().stream()
                        .map(next -> next.askedBy(asker))
                        .flatMap(next -> first(OF_REST, next, situation)
                                .map(hold -> hold.saying("pod " + next.pod().name() + " is to go after it: "))
                                .stream())
                        .findFirst());
    }

    private static Optional<Hold> first(List<Check> checks, Candidate candidate, Situation situation) {
        return checks.stream()
                .flatMap(check -> check.against(candidate, situation).stream())
                .filter(hold -> situation.counts(hold.reason()))
                .findFirst();
    }
}
