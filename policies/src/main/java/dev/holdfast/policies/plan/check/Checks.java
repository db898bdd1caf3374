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
 * The checks of a planner. Each policy that asks for the rule is checked by itself, and one that has no objection suffices.
 *
 * @param ofCandidate in their order: the first one that objects gives the hold
 * @param ofPlace asked when no other node would take the candidate
 */
public record Checks(List<Check> ofCandidate, PlacementCheck ofPlace) {
    private static final Checks ALL = new Checks(
            List.of(
                    new ProtectedPodCheck(),
                    new OptOutCheck(),
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

    /** {@return every check there is, as an operator needs them} */
    public static Checks all() {
        return ALL;
    }

    /**
     * {@return why the pod is held as soon as one of its rules is due, for every rule and at any time; empty if that is not
     * known before}
     *
     * @param protectedNamespaces pods in them are never victims
     * @param allowed the reasons to hold that the policy lifts
     */
    public static Optional<Hold> heldFromTheStart(Pod pod, Set<String> protectedNamespaces, Set<Reason> allowed) {
        return ProtectedPodCheck.protecting(pod, protectedNamespaces).or(() -> WorkloadRiskCheck.losing(pod, allowed));
    }

    /** {@return whether a candidate's spread is broken only by domains that are newer than its pod} */
    public static boolean isByNewDomain(Candidate candidate, Situation situation) {
        return new DomainAddedCheck().against(candidate, situation).isPresent();
    }

    /**
     * {@return why none of its policies lets the candidate be moved now, in the words of the first one; empty if one of them
     * does}
     */
    public Optional<Hold> firstHold(Candidate candidate, Situation situation) {
        Optional<Hold> first = holdOfOne(candidate.askedBy(candidate.requestingPolicy()), situation);
        boolean another = first.isPresent()
                && candidate.requestingPolicies().stream()
                        .skip(1)
                        .anyMatch(requestingPolicy -> holdOfOne(candidate.askedBy(requestingPolicy), situation)
                                .isEmpty());
        return another ? Optional.empty() : first;
    }

    /** {@return the candidate of the first of its policies that lets it be moved now} */
    public Candidate permitted(Candidate candidate, Situation situation) {
        return consenting(candidate, situation).findFirst().orElseThrow();
    }

    /** {@return the candidate of the policy that goes furthest, of those that let it be moved now} */
    public Candidate insisted(Candidate candidate, Situation situation) {
        return consenting(candidate, situation)
                .reduce((one, other) -> other.whenInfeasible().goesFurtherThan(one.whenInfeasible()) ? other : one)
                .orElseThrow();
    }

    private Stream<Candidate> consenting(Candidate candidate, Situation situation) {
        return candidate.requestingPolicies().stream()
                .map(candidate::askedBy)
                .filter(asked -> holdOfOne(asked, situation).isEmpty());
    }

    /** {@return the first objection if only the policy counts that speaks for the candidate} */
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
