package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.conduct.RequestingPolicy;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.NodeKeys;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A due violation with all that a plan needs to decide about it, and the pod that would be evicted: the rule owner, or
 * a substitute victim.
 *
 * @param pod the pod that would be evicted
 * @param rule the broken rule as the policy requests it, before matchLabelKeys are merged
 * @param further the rules that policies add to those in the pod's spec; they must hold on its next node
 * @param requestingPolicies the policies that request the rule in that mode; at least one, and the first gives limits
 *     and messages
 * @param mode AUDIT candidates are planned like the others, and no request is sent for them
 * @param settleTime how long the workload must be undisturbed, and how long a node must have been Ready
 * @param strategy chooses the pod that is evicted for the broken rule
 */
public record Candidate(
        Violation violation,
        Pod pod,
        Rule rule,
        List<AppliedRule> further,
        List<RequestingPolicy> requestingPolicies,
        Mode mode,
        Duration settleTime,
        Optional<Workload> workload,
        Scope scope,
        VictimStrategy strategy) {
    public Candidate {
        further = List.copyOf(further);
        requestingPolicies = List.copyOf(requestingPolicies);
    }

    /** {@return the rules that must hold on its next node in addition to those in its spec} */
    public List<Rule> furtherRules() {
        return further.stream().map(AppliedRule::rule).toList();
    }

    /** {@return the same candidate without the rules that these policies add, except the broken rule} */
    public Candidate without(Collection<PolicyId> policies) {
        List<AppliedRule> others = further.stream()
                .filter(other -> isBroken(other) || policies.stream().noneMatch(other::isAskedBy))
                .toList();
        return new Candidate(
                violation, pod, rule, others, requestingPolicies, mode, settleTime, workload, scope, strategy);
    }

    /** {@return the rules that these policies add to the pod, except the broken rule} */
    public List<Rule> broughtBy(Collection<PolicyId> policies) {
        return further.stream()
                .filter(other -> !isBroken(other) && policies.stream().anyMatch(other::isAskedBy))
                .map(AppliedRule::rule)
                .toList();
    }

    private boolean isBroken(AppliedRule other) {
        return other.identity().equals(violation.key().rule());
    }

    /** {@return the most permissive of its policies' choices for a pod without a feasible node} */
    public WhenInfeasible whenInfeasible() {
        return requestingPolicies.stream()
                .map(RequestingPolicy::whenInfeasible)
                .reduce((one, other) -> other.isWiderThan(one) ? other : one)
                .orElseThrow();
    }

    /** {@return the most permissive of its policies' choices for new domains} */
    public WhenDomainAdded whenDomainAdded() {
        return requestingPolicies.stream()
                .map(RequestingPolicy::whenDomainAdded)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** {@return the first of its policies, which gives limits and messages} */
    public RequestingPolicy requestingPolicy() {
        return requestingPolicies.getFirst();
    }

    /** {@return the same candidate, requested by one of its policies only} */
    public Candidate requestedBy(RequestingPolicy requestingPolicy) {
        return requestingPolicies.size() == 1
                ? this
                : new Candidate(
                        violation,
                        pod,
                        rule,
                        further,
                        List.of(requestingPolicy),
                        mode,
                        settleTime,
                        workload,
                        scope,
                        strategy);
    }

    /** {@return the candidate that another bound pod of the same scope would be for the same rule} */
    public Candidate like(Pod other) {
        ViolationKey key = new ViolationKey(
                other.uid(), other.nodeName().orElseThrow(), violation.key().rule());
        return new Candidate(
                new Violation(key, violation.since(), violation.cause()),
                other,
                rule,
                further,
                requestingPolicies,
                mode,
                settleTime,
                workload,
                scope,
                strategy);
    }

    /** {@return the same candidate with another victim, which is in the way of the rule owner} */
    public Candidate going(Pod other, List<AppliedRule> itsFurther, Optional<Workload> itsWorkload) {
        return new Candidate(
                violation, other, rule, itsFurther, requestingPolicies, mode, settleTime, itsWorkload, scope, strategy);
    }

    /** {@return the same candidate as a substitute victim} */
    Candidate asSubstitute(SubstituteVictim instead) {
        return new Candidate(
                violation, pod, rule, further, requestingPolicies, mode, settleTime, workload, scope, instead);
    }

    /** {@return the same candidate, requested by one policy only; empty if that policy does not request the rule} */
    public Optional<Candidate> requestedBy(PolicyId policy) {
        return requestingPolicies.stream()
                .filter(requestingPolicy -> requestingPolicy.policy().equals(policy))
                .findFirst()
                .map(this::requestedBy);
    }

    /** {@return the keys of node labels that its rule depends on} */
    public Set<String> nodeKeys() {
        return NodeKeys.of(rule, pod.scheduling());
    }

    /** {@return the node the pod is on} */
    public String node() {
        return pod.nodeName().orElseThrow();
    }

    /** {@return the rule owner} */
    public Pod owner() {
        return strategy.owner(pod);
    }

    /** {@return whether no other pod must move after it} */
    public boolean isLast() {
        return strategy.following().isEmpty();
    }

    /** {@return the hold, with the victim named in the message if it is not the rule owner} */
    public Hold named(Hold hold) {
        return strategy.named(hold, pod);
    }

    /** {@return the move of the candidate once a plan has chosen it, before the pod has been read} */
    public Move promised(Optional<String> target, Instant now) {
        return new Move(
                violation.key() + " " + pod.uid(),
                violation.key(),
                requestingPolicy().policy(),
                pod,
                rule,
                workload,
                scope,
                target,
                0,
                new Move.Stage.Confirming(now));
    }

    /**
     * {@return the candidates in victim order: enforced before audited; then lowest priority; then most other
     * candidates healed; then lowest deletion cost; then newest pod; then UID, so that the order is total (D-15)}
     *
     * @param heals the number of other candidates that each pod's move heals, by UID; 0 if absent
     */
    public static List<Candidate> inOrder(List<Candidate> candidates, Map<String, Integer> heals) {
        return candidates.stream()
                .map(candidate -> Ranked.of(candidate, heals))
                .sorted(Ranked.ORDER)
                .map(Ranked::candidate)
                .toList();
    }

    /** A candidate with its sort keys, which are read once for many comparisons. */
    private record Ranked(Candidate candidate, int priority, int heals, int deletionCost, Instant created) {
        static final Comparator<Ranked> ORDER = Comparator.comparing(
                        (Ranked it) -> it.candidate().mode())
                .reversed()
                .thenComparingInt(Ranked::priority)
                .thenComparing(Ranked::heals, Comparator.reverseOrder())
                .thenComparingInt(Ranked::deletionCost)
                .thenComparing(Ranked::created, Comparator.reverseOrder())
                .thenComparing(it -> it.candidate().violation().key())
                .thenComparing(it -> it.candidate().pod().uid());

        static Ranked of(Candidate candidate, Map<String, Integer> heals) {
            Pod pod = candidate.pod();
            return new Ranked(
                    candidate,
                    pod.victimProtection().priority(),
                    heals.getOrDefault(pod.uid(), 0),
                    pod.victimProtection().disruptionAnnotations().deletionCost(),
                    pod.life().creationTime());
        }
    }
}
