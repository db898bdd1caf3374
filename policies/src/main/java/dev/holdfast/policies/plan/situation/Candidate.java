package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.conduct.RequestingPolicy;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.HeldRule;
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
 * A due violation with what its planning needs, and the pod that would be its victim: the rule owner, or one that stands in
 * for it.
 *
 * @param rule the broken rule as it is asked for, its matchLabelKeys not merged
 * @param further the rules that policies bring to the pod beside those of its own spec; they must hold on its next node
 * @param requestingPolicies the policies that ask for the rule in that mode, the one that speaks for it first; at least one
 * @param mode AUDIT candidates are planned like the others, and nothing is done
 * @param pod the one to be moved
 * @param settleTime for how long its workload must have been left undisturbed, and a node must have been Ready
 * @param strategy which pod goes for the broken rule
 */
public record Candidate(
        Violation violation,
        Pod pod,
        Rule rule,
        List<HeldRule> further,
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

    /** {@return the rules that must hold on its next node beside those of its own spec} */
    public List<Rule> furtherRules() {
        return further.stream().map(HeldRule::rule).toList();
    }

    /** {@return the same candidate, without what some policies bring to the pod, but for the broken rule} */
    public Candidate without(Collection<PolicyId> policies) {
        List<HeldRule> others = further.stream()
                .filter(other -> isBroken(other) || policies.stream().noneMatch(other::isAskedBy))
                .toList();
        return new Candidate(
                violation, pod, rule, others, requestingPolicies, mode, settleTime, workload, scope, strategy);
    }

    /** {@return what some policies bring to the pod, but for the broken rule} */
    public List<Rule> broughtBy(Collection<PolicyId> policies) {
        return further.stream()
                .filter(other -> !isBroken(other) && policies.stream().anyMatch(other::isAskedBy))
                .map(HeldRule::rule)
                .toList();
    }

    private boolean isBroken(HeldRule other) {
        return other.identity().equals(violation.key().rule());
    }

    /** {@return how far the one of its policies goes, where there is no place, that goes furthest} */
    public WhenInfeasible whenInfeasible() {
        return requestingPolicies.stream()
                .map(RequestingPolicy::whenInfeasible)
                .reduce((one, other) -> other.goesFurtherThan(one) ? other : one)
                .orElseThrow();
    }

    /** {@return what new domains do for the one of its policies that goes furthest} */
    public WhenDomainAdded whenDomainAdded() {
        return requestingPolicies.stream()
                .map(RequestingPolicy::whenDomainAdded)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** {@return the policy that speaks for the rule} */
    public RequestingPolicy requestingPolicy() {
        return requestingPolicies.getFirst();
    }

    /** {@return the same candidate, asked for by one of its policies alone, and only as far as that goes} */
    public Candidate askedBy(RequestingPolicy requestingPolicy) {
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

    /** {@return another pod of the same scope, bound to a node, for which the rule is asked for alike} */
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

    /** {@return the same candidate, for which another pod goes that is in the way of the rule owner} */
    public Candidate going(Pod other, List<HeldRule> itsFurther, Optional<Workload> itsWorkload) {
        return new Candidate(
                violation, other, rule, itsFurther, requestingPolicies, mode, settleTime, itsWorkload, scope, strategy);
    }

    /** {@return the same candidate, going instead of another} */
    Candidate standingIn(SubstituteVictim instead) {
        return new Candidate(
                violation, pod, rule, further, requestingPolicies, mode, settleTime, workload, scope, instead);
    }

    /** {@return the same candidate, asked for by one policy alone; empty where that does not ask for the rule} */
    public Optional<Candidate> askedBy(PolicyId policy) {
        return requestingPolicies.stream()
                .filter(requestingPolicy -> requestingPolicy.policy().equals(policy))
                .findFirst()
                .map(this::askedBy);
    }

    /** {@return the keys of node labels that its rule depends on} */
    public Set<String> nodeKeys() {
        return NodeKeys.of(rule, pod.scheduling());
    }

    /** {@return the node the pod is on} */
    public String node() {
        return pod.nodeName().orElseThrow();
    }

    /** {@return the pod whose rule is broken} */
    public Pod owner() {
        return strategy.owner(pod);
    }

    /** {@return whether no other pod must follow it} */
    public boolean isLast() {
        return strategy.following().isEmpty();
    }

    /** {@return the hold, with the victim named in the message if it is not the rule owner} */
    public Hold named(Hold hold) {
        return strategy.named(hold, pod);
    }

    /** {@return the move of the candidate once a plan has chosen it: the pod has not been read for it yet} */
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
     * {@return the candidates in the order in which they are decided about: enforced before audited, then the lowest
     * priority, then the one whose move heals most others, then the one whose deletion costs least, then the newest pod,
     * then the UID, so that the order is total (D-15)}
     *
     * @param heals how many others the move of a pod heals, by UID; none of whom nothing is said
     */
    public static List<Candidate> inOrder(List<Candidate> candidates, Map<String, Integer> heals) {
        return candidates.stream()
                .map(candidate -> Ranked.of(candidate, heals))
                .sorted(Ranked.ORDER)
                .map(Ranked::candidate)
                .toList();
    }

    /** A candidate with what it is compared by, read once: each is compared with many others. */
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
