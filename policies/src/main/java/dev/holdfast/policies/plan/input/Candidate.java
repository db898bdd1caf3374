package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.PodAdmission;
import dev.holdfast.policies.plan.capacity.Replacement;
import dev.holdfast.policies.plan.controls.RequestingPolicy;
import dev.holdfast.policies.plan.move.EnforcedRules;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.NodeKeys;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleSource;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A due violation with all that a plan needs to decide about it, and the pod to evict for it. The pod to evict is the
 * rule owner, or a pod of lower priority in the rule owner's way (a substitute victim).
 *
 * @param pod the pod to evict
 * @param rule the broken rule as the policy requests it, before matchLabelKeys are merged
 * @param further the rules that policies add to those in the pod's spec; they must hold on the pod's next node
 * @param requestingPolicies the policies that request the rule in this mode, at least one; the move counts against the
 *     limits of the first, and messages name it
 * @param mode AUDIT or ENFORCE; AUDIT candidates are planned in the same way, but no eviction is sent for them
 * @param workload the topmost controller of the pod; absent for a bare pod
 * @param scope the pods whose verdicts the move may change
 * @param strategy whether the rule owner is evicted or a pod in its way, and what the plan does differently for each
 * @param overriding the requesting cluster policies for which a node is sought without regard to namespaced policies:
 *     their rules close no node, and violations that only they ask about do not count; empty if a node is sought for
 *     all requesting policies and with regard to all
 */
public record Candidate(
        Violation violation,
        Pod pod,
        Rule rule,
        List<AppliedRule> further,
        List<RequestingPolicy> requestingPolicies,
        Mode mode,
        Optional<Workload> workload,
        Scope scope,
        VictimStrategy strategy,
        Set<PolicyId> overriding) {
    public Candidate {
        further = List.copyOf(further);
        requestingPolicies = List.copyOf(requestingPolicies);
        overriding = requestingPolicies.stream()
                .map(RequestingPolicy::policy)
                .filter(overriding::contains)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Creates a candidate for which a node is sought with regard to the rules of all policies. */
    public Candidate(
            Violation violation,
            Pod pod,
            Rule rule,
            List<AppliedRule> further,
            List<RequestingPolicy> requestingPolicies,
            Mode mode,
            Optional<Workload> workload,
            Scope scope,
            VictimStrategy strategy) {
        this(violation, pod, rule, further, requestingPolicies, mode, workload, scope, strategy, Set.of());
    }

    /**
     * {@return the candidate for a search for a node that ignores what any of the given policies overrides now: all
     * namespaced policies, or only the rules of other tenants' pods; the same candidate if none of these policies
     * overrides anything now}
     *
     * @param consenting requesting policies for which the candidate passes all checks
     */
    public Candidate overridingTenants(Collection<RequestingPolicy> consenting, Instant now) {
        Set<PolicyId> tenants = ids(consenting, policy -> policy.overridesTenants(violation.since(), now));
        return tenants.isEmpty()
                ? overriding(ids(consenting, policy -> policy.overridesBystanders(violation.since(), now)), further)
                : overridingTenantsFor(tenants);
    }

    private static Set<PolicyId> ids(Collection<RequestingPolicy> policies, Predicate<RequestingPolicy> which) {
        return policies.stream().filter(which).map(RequestingPolicy::policy).collect(Collectors.toSet());
    }

    /**
     * {@return the same candidate, for which a node is sought for the given cluster policies without regard to
     * namespaced policies; the same candidate if no policy is given}
     */
    public Candidate overridingTenantsFor(Set<PolicyId> policies) {
        return overriding(
                policies,
                further.stream()
                        .filter(other -> isBroken(other) || isOfClusterPolicy(other))
                        .toList());
    }

    private Candidate overriding(Set<PolicyId> policies, List<AppliedRule> left) {
        return policies.isEmpty()
                ? this
                : new Candidate(
                        violation, pod, rule, left, requestingPolicies, mode, workload, scope, strategy, policies);
    }

    private boolean isOfClusterPolicy(AppliedRule other) {
        return other.requests().stream()
                .anyMatch(request -> request.isOfClusterPolicy()
                        && (mode == Mode.AUDIT || request.enforcement().mode() == Mode.ENFORCE));
    }

    /** {@return the policies for which the pod may be moved now: those that override tenants, or all if none does} */
    public List<RequestingPolicy> placedFor() {
        return overriding.isEmpty()
                ? requestingPolicies
                : requestingPolicies.stream()
                        .filter(policy -> overriding.contains(policy.policy()))
                        .toList();
    }

    /**
     * {@return which rules of other pods count in the impact of the move; absent if all count} If the
     * candidate overrides tenants, only rules count that a cluster policy or one of the pod's own namespace enforces,
     * or that a policy audits for which the node is sought.
     */
    public Optional<Predicate<AppliedRule>> regarded() {
        return overriding.isEmpty()
                ? Optional.empty()
                : Optional.of(ofBystander -> ofBystander.requests().stream().anyMatch(this::isRegarded));
    }

    /**
     * {@return which rules of other pods count in the impact of the move, if any of them may be required only where
     * possible; absent if all count} A rule that is required only where possible counts only for a move that is for
     * such a rule, too.
     */
    public Optional<Predicate<AppliedRule>> regardedOfAny() {
        Predicate<AppliedRule> isRequired = ofBystander -> !ofBystander.isRequiredWherePossible();
        return isRequiredWherePossible()
                ? regarded()
                : Optional.of(regarded().map(isRequired::and).orElse(isRequired));
    }

    private boolean isRegarded(AppliedRule.Request request) {
        PolicyId policy = request.policy();
        boolean isOfOthers = policy.isOfCluster()
                ? request.source() == RuleSource.POD_ANNOTATION
                : !policy.namespace().equals(Optional.of(pod.namespace()));
        return !isOfOthers && (request.enforcement().mode() == Mode.ENFORCE || overriding.contains(policy));
    }

    /** {@return the rules of policies that must hold on the pod's next node, in addition to those in its spec} */
    public List<Rule> furtherRules() {
        return further.stream().map(AppliedRule::rule).toList();
    }

    /** {@return the same candidate without the rules that the given policies add; the broken rule stays} */
    public Candidate without(Collection<PolicyId> policies) {
        List<AppliedRule> others = further.stream()
                .filter(other -> isBroken(other) || policies.stream().noneMatch(other::isRequestedBy))
                .toList();
        return new Candidate(
                violation, pod, rule, others, requestingPolicies, mode, workload, scope, strategy, overriding);
    }

    /** {@return the rules that the given policies add to the pod, without the broken rule} */
    public List<Rule> rulesAddedBy(Collection<PolicyId> policies) {
        return further.stream()
                .filter(other -> !isBroken(other) && policies.stream().anyMatch(other::isRequestedBy))
                .map(AppliedRule::rule)
                .toList();
    }

    private boolean isBroken(AppliedRule other) {
        return other.identity().equals(violation.key().rule());
    }

    /**
     * {@return the most permissive {@code whenInfeasible} of the requesting policies: whether and when they let the pod
     * be evicted although no other node would take it}
     */
    public WhenInfeasible whenInfeasible() {
        return placedFor().stream()
                .map(RequestingPolicy::whenInfeasible)
                .reduce((one, other) -> other.isWiderThan(one) ? other : one)
                .orElseThrow();
    }

    /** {@return whether the broken rule of the pod must hold only where a node can satisfy it} */
    public boolean isRequiredWherePossible() {
        return further.stream().anyMatch(other -> isBroken(other) && other.isRequiredWherePossible());
    }

    /** {@return whether no requesting policy lets the pod be evicted while no other node would take it} */
    public boolean waitsForNode() {
        return whenInfeasible().evictAfter().isEmpty();
    }

    /**
     * {@return the most permissive {@code whenDomainAdded} of the requesting policies: whether pods move when only a
     * new domain breaks their spread}
     */
    public WhenDomainAdded whenDomainAdded() {
        return placedFor().stream()
                .map(RequestingPolicy::whenDomainAdded)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /**
     * {@return the longest settle time of the requesting policies: how long the workload must be undisturbed before
     * the move, and how long the new node must have been Ready}
     */
    public Duration settleTime() {
        return placedFor().stream()
                .map(RequestingPolicy::settleTime)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /**
     * {@return the first policy that a node is sought for: the move counts against its limits, and messages name it}
     */
    public RequestingPolicy requestingPolicy() {
        return placedFor().getFirst();
    }

    /** {@return the same candidate with only the given requesting policy, which must be one of its own} */
    public Candidate requestedBy(RequestingPolicy requestingPolicy) {
        return requestedBy(List.of(requestingPolicy));
    }

    /** {@return the same candidate with only the given requesting policies, at least one, which must be of its own} */
    public Candidate requestedBy(List<RequestingPolicy> some) {
        return requestingPolicies.size() == some.size()
                ? this
                : new Candidate(violation, pod, rule, further, some, mode, workload, scope, strategy, overriding);
    }

    /**
     * {@return the requesting policies that decide which pod is evicted: the cluster policies alone if one of them
     * overrides tenants now, else all}
     */
    public List<RequestingPolicy> choosingVictim(Instant now) {
        return requestingPolicies.stream().anyMatch(policy -> policy.overridesTenants(violation.since(), now))
                ? requestingPolicies.stream()
                        .filter(policy -> policy.policy().isOfCluster())
                        .toList()
                : requestingPolicies;
    }

    /**
     * {@return the same candidate for another pod, as if that pod violated the rule: it is both rule owner and pod to
     * evict}
     *
     * @param other a bound pod of the same scope
     */
    public Candidate forPod(Pod other) {
        ViolationKey key = new ViolationKey(
                other.uid(), other.nodeName().orElseThrow(), violation.key().rule());
        return new Candidate(
                new Violation(key, violation.since(), violation.cause()),
                other,
                rule,
                further,
                requestingPolicies,
                mode,
                workload,
                scope,
                strategy,
                overriding);
    }

    /**
     * {@return the same candidate with another pod to evict, which is in the way of the rule owner}
     *
     * @param itsFurther the rules that policies add to the other pod
     * @param itsWorkload the topmost controller of the other pod; absent for a bare pod
     */
    public Candidate withVictim(Pod other, List<AppliedRule> itsFurther, Optional<Workload> itsWorkload) {
        return new Candidate(
                violation, other, rule, itsFurther, requestingPolicies, mode, itsWorkload, scope, strategy);
    }

    /**
     * {@return the same candidate, marked as a substitute: the pod to evict is not the rule owner, but a pod in the way
     * of one}
     */
    Candidate asSubstitute(SubstituteVictim instead) {
        return new Candidate(violation, pod, rule, further, requestingPolicies, mode, workload, scope, instead);
    }

    /**
     * {@return the same candidate with only the given requesting policy; empty if that policy does not request the
     * rule}
     */
    public Optional<Candidate> requestedBy(PolicyId policy) {
        return requestingPolicies.stream()
                .filter(requestingPolicy -> requestingPolicy.policy().equals(policy))
                .findFirst()
                .map(this::requestedBy);
    }

    /** {@return the keys of the node labels that the broken rule depends on} */
    public Set<String> nodeKeys() {
        return NodeKeys.of(rule, pod.scheduling());
    }

    /**
     * {@return the pod that needs a node after the eviction: what the controller creates, and the API server completes}
     */
    public Pod replacement(ClusterView view) {
        return PodAdmission.withDefaults(Replacement.podFor(pod, view), view);
    }

    /** {@return the node of the pod to evict} */
    public String node() {
        return pod.nodeName().orElseThrow();
    }

    /** {@return the rule owner: the pod to evict, or another pod that the pod to evict must make way for} */
    public Pod owner() {
        return strategy.owner(pod);
    }

    /**
     * {@return whether no further pod must make way for the rule owner after this one; true if the owner itself is
     * evicted}
     */
    public boolean isLast() {
        return strategy.following().isEmpty();
    }

    /** {@return the hold, with the pod to evict named in its message if that pod is not the rule owner} */
    public Hold namingVictim(Hold hold) {
        return strategy.namingVictim(hold, pod);
    }

    /**
     * {@return the planned move of the candidate, in the state before the pod is read from the API server}
     *
     * @param target a node that would take the replacement; absent if none would
     */
    public Move plannedMove(Optional<String> target, Instant now) {
        return new Move(
                violation.key() + " " + pod.uid(),
                violation.key(),
                requestingPolicy().policy(),
                pod,
                Optional.of(rule),
                nodeKeys(),
                workload,
                scope,
                target,
                EnforcedRules.onlyBroken(violation.key().rule()),
                0,
                new Move.Stage.Confirming(now));
    }

    /**
     * {@return the candidates in victim order: enforced before audited; then lowest priority; then most
     * candidates healed; then lowest pod-deletion-cost; then newest pod; then UID, so that no two candidates are equal}
     *
     * @param heals the number of candidates that the move of each pod heals, by pod UID; 0 for a missing UID
     */
    public static List<Candidate> inOrder(List<Candidate> candidates, Map<String, Integer> heals) {
        return candidates.stream()
                .map(candidate -> Ranked.of(candidate, heals))
                .sorted(Ranked.ORDER)
                .map(Ranked::candidate)
                .toList();
    }

    /** A candidate with its sort keys, so that each key is read once and not in each comparison. */
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
