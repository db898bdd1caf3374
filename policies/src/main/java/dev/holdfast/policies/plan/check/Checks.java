package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.plan.controls.RequestingPolicy;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The checks of the planner, in order. The checks run for each requesting policy separately. A candidate may move if it
 * passes all checks for one of these policies.
 *
 * @param ofCandidate the checks before the search for a node; the first that fails gives the hold
 * @param ofPlace the check for a candidate that no other node would take
 */
public record Checks(List<Check> ofCandidate, PlacementCheck ofPlace) {
    private static final Checks ALL = new Checks(
            List.of(
                    new ProtectedPodCheck(),
                    new KeptCheck(),
                    new LostWorkCheck(),
                    new ForeignSchedulerCheck(),
                    ofPolicy(new TooFewReplicasCheck()),
                    new ReplacementCheck(),
                    new QuotaExceededCheck(),
                    new ReplacementRefusedCheck(),
                    new NodeNotReadyCheck(),
                    new UntrustedCauseCheck(),
                    new UnreadObjectsCheck(),
                    ofPolicy(new ExceptionAndWindowCheck()),
                    new BreakerCheck(),
                    ofPolicy(new BacklogCheck()),
                    new NotStartedCheck(),
                    new BeingDisruptedCheck(),
                    new LeavingNodeCheck(),
                    new DomainAddedCheck(),
                    new MoveInProgressCheck(),
                    new WorkloadUnsettledCheck(),
                    ofPolicy(new WorkloadDegradedCheck()),
                    new ClusterUnhealthyCheck(),
                    new FutileCheck(),
                    new RestlessCheck(),
                    new SubstituteVictimCheck(),
                    new DisruptionBudgetCheck(),
                    new OperatorLimitCheck(),
                    ofPolicy(new PolicyLimitCheck()),
                    new SlowStartCheck(),
                    new ResumptionCheck()),
            new InfeasibleCheck());

    /** {@return a check of the settings of the requesting policy: only its readers may read what a hold says} */
    private static Check ofPolicy(Check check) {
        return (candidate, situation) -> check.against(candidate, situation)
                .map(hold -> hold.about(candidate.requestingPolicy().policy()));
    }

    public Checks {
        ofCandidate = List.copyOf(ofCandidate);
    }

    /** {@return the checks that the operator uses} */
    public static Checks all() {
        return ALL;
    }

    /**
     * {@return a hold that is known before any rule of the pod is broken, because it applies to the pod for every rule;
     * empty if there is no such hold}
     *
     * @param allowed the hold reasons that the policy allows, so that they do not hold the pod
     */
    public static Optional<Hold> heldFromTheStart(Pod pod, ProtectedPods protectedPods, Set<Reason> allowed) {
        return ProtectedPodCheck.protecting(pod, protectedPods.namespaces())
                .or(() -> LostWorkCheck.losing(pod, allowed))
                .or(() -> ForeignSchedulerCheck.foreign(pod, protectedPods.schedulerNames(), allowed));
    }

    /**
     * {@return whether {@link DomainAddedCheck} holds the candidate: only domains that are new for its pod break its
     * spread}
     */
    public static boolean isHeldForNewDomain(Candidate candidate, Situation situation) {
        return new DomainAddedCheck().against(candidate, situation).isPresent();
    }

    /**
     * {@return the hold for the first requesting policy; empty if the candidate passes all checks for at least one
     * requesting policy}
     */
    public Optional<Hold> firstHold(Candidate candidate, Situation situation) {
        Optional<Hold> first = holdOfOne(candidate.requestedBy(candidate.requestingPolicy()), situation);
        boolean another = first.isPresent()
                && candidate.placedFor().stream()
                        .skip(1)
                        .anyMatch(requestingPolicy -> holdOfOne(candidate.requestedBy(requestingPolicy), situation)
                                .isEmpty());
        return another ? Optional.empty() : first;
    }

    /**
     * {@return the candidate to use in the search for a node} The search ignores rules of namespaced policies if a
     * policy that passes all checks overrides tenants. There must be a policy that passes all checks.
     */
    public Candidate placeable(Candidate candidate, Situation situation) {
        return candidate.overridingTenants(
                consenting(candidate, situation)
                        .map(Candidate::requestingPolicy)
                        .toList(),
                situation.now());
    }

    /**
     * {@return the candidate, requested by only one of its policies: the first for which it passes all checks} There
     * must be such a policy.
     */
    public Candidate permitted(Candidate candidate, Situation situation) {
        return consenting(candidate, situation).findFirst().orElseThrow();
    }

    /**
     * {@return the candidate, requested by only one of its policies: the one that first lets the pod be evicted
     * although no other node would take it} Only policies for which the candidate passes all checks are considered;
     * there must be one.
     *
     * @param nowhereSince since when no other node would take the pod
     */
    public Candidate mostPermissive(Candidate candidate, Situation situation, Instant nowhereSince) {
        return consenting(candidate, situation)
                .min(Comparator.comparing(
                        asked -> InfeasibleCheck.evictedAt(asked, nowhereSince).orElse(Instant.MAX)))
                .orElseThrow();
    }

    /**
     * {@return the hold of each requesting policy for which a check fails; empty if there is only one requesting
     * policy, because {@link #firstHold} gives its hold}
     */
    public Map<PolicyId, Hold> holdsByPolicy(Candidate candidate, Situation situation) {
        if (candidate.requestingPolicies().size() == 1) {
            return Map.of();
        }
        Map<PolicyId, Hold> holds = new HashMap<>();
        for (RequestingPolicy policy : candidate.requestingPolicies()) {
            holdOfOne(candidate.requestedBy(policy), situation).ifPresent(hold -> holds.put(policy.policy(), hold));
        }
        return holds;
    }

    private Stream<Candidate> consenting(Candidate candidate, Situation situation) {
        return candidate.placedFor().stream()
                .map(candidate::requestedBy)
                .filter(asked -> holdOfOne(asked, situation).isEmpty());
    }

    /** {@return the hold of the first check that fails for the first requesting policy; empty if all pass} */
    private Optional<Hold> holdOfOne(Candidate candidate, Situation situation) {
        for (Check check : ofCandidate) {
            Optional<Hold> hold = check.against(candidate, situation);
            if (hold.isPresent()) {
                return hold.map(candidate::namingVictim);
            }
        }
        return Optional.empty();
    }
}
