package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The checks of the planner, in order. They run for each requesting policy separately, and a candidate may move if it
 * passes for one of them.
 *
 * @param ofCandidate the first check that objects gives the hold
 * @param ofPlace the check for a candidate that no other node would take
 */
public record Checks(List<Check> ofCandidate, PlacementCheck ofPlace) {
    private static final Checks ALL = new Checks(
            List.of(
                    new ProtectedPodCheck(),
                    new KeptCheck(),
                    new WorkloadRiskCheck(),
                    new TrustCheck(),
                    new ExceptionAndWindowCheck(),
                    new BreakerCheck(),
                    new BacklogCheck(),
                    new NotStartedCheck(),
                    new BeingDisruptedCheck(),
                    new LeavingNodeCheck(),
                    new DomainAddedCheck(),
                    new MoveInProgressCheck(),
                    new WorkloadUnsettledCheck(),
                    new ClusterUnhealthyCheck(),
                    new FutileCheck(),
                    new SubstituteVictimCheck(),
                    new LimitCheck(),
                    new PolicyLimitCheck(),
                    new ResumptionCheck()),
            new InfeasibleCheck());

    public Checks {
        ofCandidate = List.copyOf(ofCandidate);
    }

    /** {@return all checks, as the operator uses them} */
    public static Checks all() {
        return ALL;
    }

    /**
     * {@return a hold that will apply to the pod whenever one of its rules is due, for any rule; empty if none is known
     * yet}
     *
     * @param protectedNamespaces namespaces whose pods are never victims
     * @param allowed the hold reasons that the policy lifts
     */
    public static Optional<Hold> heldFromTheStart(Pod pod, Set<String> protectedNamespaces, Set<Reason> allowed) {
        return ProtectedPodCheck.protecting(pod, protectedNamespaces).or(() -> WorkloadRiskCheck.losing(pod, allowed));
    }

    /** {@return whether only domains that are newer than the pod break its spread} */
    public static boolean isByNewDomain(Candidate candidate, Situation situation) {
        return new DomainAddedCheck().against(candidate, situation).isPresent();
    }

    /**
     * {@return the hold of the first requesting policy; empty if at least one of its policies lets the candidate move
     * now}
     */
    public Optional<Hold> firstHold(Candidate candidate, Situation situation) {
        Optional<Hold> first = holdOfOne(candidate.requestedBy(candidate.requestingPolicy()), situation);
        boolean another = first.isPresent()
                && candidate.requestingPolicies().stream()
                        .skip(1)
                        .anyMatch(requestingPolicy -> holdOfOne(candidate.requestedBy(requestingPolicy), situation)
                                .isEmpty());
        return another ? Optional.empty() : first;
    }

    /** {@return the candidate, requested only by the first of its policies that lets it move now} */
    public Candidate permitted(Candidate candidate, Situation situation) {
        return consenting(candidate, situation).findFirst().orElseThrow();
    }

    /**
     * {@return the candidate, requested only by the most permissive of its policies that let it move now, by {@code
     * whenInfeasible}}
     */
    public Candidate insisted(Candidate candidate, Situation situation) {
        return consenting(candidate, situation)
                .reduce((one, other) -> other.whenInfeasible().isWiderThan(one.whenInfeasible()) ? other : one)
                .orElseThrow();
    }

    private Stream<Candidate> consenting(Candidate candidate, Situation situation) {
        return candidate.requestingPolicies().stream()
                .map(candidate::requestedBy)
                .filter(asked -> holdOfOne(asked, situation).isEmpty());
    }

    /** {@return the first hold, for the first requesting policy only} */
    private Optional<Hold> holdOfOne(Candidate candidate, Situation situation) {
        for (Check check : ofCandidate) {
            Optional<Hold> hold = check.against(candidate, situation);
            if (hold.isPresent()) {
                return hold.map(candidate::named);
            }
        }
        return Optional.empty();
    }
}
