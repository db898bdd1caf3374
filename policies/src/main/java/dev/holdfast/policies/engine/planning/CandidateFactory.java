package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.query.ConflictQuery;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.RequestingPolicy;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Partners;
import dev.holdfast.policies.plan.input.RecentDisturbances;
import dev.holdfast.policies.plan.input.SubstituteVictim;
import dev.holdfast.policies.plan.input.VictimStrategy;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Creates the candidates of a plan from due violations. */
public final class CandidateFactory {
    private final LiveCluster cluster;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final SubstituteVictims substituteVictims;

    public CandidateFactory(
            LiveCluster cluster, RequestedRules requested, ViolationBook book, SubstituteVictims substituteVictims) {
        this.cluster = cluster;
        this.requested = requested;
        this.book = book;
        this.substituteVictims = substituteVictims;
    }

    /** {@return the candidate for one due violation} */
    public Candidate candidate(Violation violation, Instant now) {
        return batch().candidate(violation, now);
    }

    /** {@return a factory for the candidates of one plan; it caches the results of anti-affinity queries} */
    Batch batch() {
        return new Batch(cluster.index().conflictQuery(Partners::of));
    }

    /** Creates the candidates of one plan. Query results are cached, so a batch is valid only until the next event. */
    final class Batch {
        private final ConflictQuery<Partners> conflictQuery;

        /**
         * The scopes (sets of pods that must be evaluated together) of anti-affinity rules: one for each set of pods
         * that conflict, directly or through others. Keys are compared by identity, because the query returns the same
         * instance for all pods in a set.
         */
        private final IdentityHashMap<Set<String>, Scope> scopes = new IdentityHashMap<>();

        private Batch(ConflictQuery<Partners> conflictQuery) {
            this.conflictQuery = conflictQuery;
        }

        /**
         * {@return the partners that break the anti-affinity rule of a violation; none if the rule is of another kind}
         */
        Partners partners(ViolationKey key) {
            return conflictQuery.partners(key.podUid(), key.rule()).orElse(Partners.NONE);
        }

        /**
         * {@return the candidate for a due violation} The pod to evict is the rule owner or, with {@code victim:
         * LowestPriority}, the first of the partners to evict instead.
         */
        Candidate candidate(Violation violation, Instant now) {
            AppliedRule rule = requested.get(violation.key());
            Pod owner = cluster.pod(violation.key().podUid()).orElseThrow();
            Candidate ofOwner = ofOwner(violation, rule, owner, now);
            Candidate chosen = ofOwner.requestedBy(ofOwner.choosingVictim(now));
            List<Pod> instead = substituteVictims.of(chosen, rule, now, () -> partners(violation.key()));
            return instead.isEmpty()
                    ? ofOwner
                    : SubstituteVictim.first(
                            chosen,
                            instead.stream()
                                    .map(pod -> chosen.withVictim(pod, further(pod, rule), Workload.of(pod, cluster)))
                                    .toList());
        }

        private Candidate ofOwner(Violation violation, AppliedRule rule, Pod owner, Instant now) {
            return new Candidate(
                    violation,
                    owner,
                    rule.rule(),
                    further(owner, rule),
                    requestingPolicies(violation, rule, now),
                    rule.mode(requested.ceiling()),
                    Workload.of(owner, cluster),
                    scope(rule, owner),
                    VictimStrategy.ofOwner());
        }

        private Scope scope(AppliedRule held, Pod pod) {
            Rule merged = held.rule().mergedFor(pod.labels());
            // Hashing a rule for its identity is the slowest step here.
            RuleIdentity identity = merged.equals(held.rule()) ? held.identity() : merged.identity();
            return switch (merged) {
                case Rule.OfNode _ -> new Scope.Alone();
                case Rule.PodAffinity affinity -> Scope.SameRule.of(affinity, identity, pod);
                case Rule.TopologySpread spread -> Scope.SameRule.of(spread, identity, pod);
                case Rule.PodAntiAffinity _ ->
                    scopes.computeIfAbsent(conflictQuery.around(pod.uid()), Scope.Conflicting::new);
            };
        }
    }

    /**
     * {@return the rules of policies that the target node must satisfy, in addition to the rules in the pod's spec} An
     * audited rule is included if its policy injects it, since the scheduler then requires it of the replacement.
     * Otherwise an audited rule is included only if the broken rule is audited too, and one policy requests both.
     */
    private List<AppliedRule> further(Pod pod, AppliedRule broken) {
        return cluster.index().rulesOf(pod.uid()).stream()
                .filter(other -> !other.own())
                .filter(other ->
                        other.mode(Mode.ENFORCE) == Mode.ENFORCE || other.isInjected() || isAuditedWith(broken, other))
                .filter(other -> !other.isRequiredWherePossible() || isKept(other, broken, pod))
                .toList();
    }

    /**
     * {@return whether a move must not break a rule that is required only where possible} A move for a rule that is
     * always required may break such a rule. A move for another rule of this kind may not, so that two such rules do
     * not move a pod to and fro.
     */
    private boolean isKept(AppliedRule other, AppliedRule broken, Pod pod) {
        return other.identity().equals(broken.identity())
                || (broken.isRequiredWherePossible() && !cluster.index().isBroken(pod.uid(), other.identity()));
    }

    private static boolean isAuditedWith(AppliedRule broken, AppliedRule other) {
        return broken.mode(Mode.ENFORCE) == Mode.AUDIT
                && broken.requestingPolicies(Mode.ENFORCE).stream().anyMatch(other::isRequestedBy);
    }

    /**
     * {@return the policies for which the violation is due; all that request the rule if it is due for none yet}
     * Policies in mode Audit are left out if another policy enforces the rule.
     */
    private List<RequestingPolicy> requestingPolicies(Violation violation, AppliedRule rule, Instant now) {
        List<PolicyId> effective = rule.requestingPolicies(requested.ceiling());
        List<PolicyId> due = effective.stream()
                .filter(policy -> book.isDue(violation.key(), policy, now))
                .toList();
        return (due.isEmpty() ? effective : due)
                .stream()
                        .map(policy -> requestingPolicy(violation, policy, rule))
                        .toList();
    }

    private RequestingPolicy requestingPolicy(Violation violation, PolicyId policy, AppliedRule rule) {
        ViolationKey key = violation.key();
        return new RequestingPolicy(
                policy,
                requested.controlsOf(policy),
                rule.whenInfeasible(policy, requested.ceiling()),
                rule.whenDomainAdded(policy, requested.ceiling()),
                settleTime(requested.forgiveness(key, rule, policy)),
                book.countedFrom(violation, policy),
                book.deadline(key, policy));
    }

    private static Duration settleTime(Duration forgiveness) {
        return forgiveness.compareTo(RecentDisturbances.LONGEST) < 0 ? forgiveness : RecentDisturbances.LONGEST;
    }
}
