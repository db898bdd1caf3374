package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.plan.controls.RequestingPolicy;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Partners;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.VictimChoice;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the pods to evict instead of a rule owner ({@code victim: LowestPriority}): its partners, if there are at most
 * five and each has a lower priority and may be evicted. Otherwise the rule owner is the victim, because its eviction
 * alone heals the rule. The rule owner is also the victim if it is already due for another rule.
 *
 * <p>Example: the rule owner has priority 1000. If it has two partners of priority 10, both are evicted, one after the
 * other. If it has one partner of priority 10 and one of 2000, the rule owner is evicted, because evicting the first
 * would not heal the rule.
 */
public final class SubstituteVictims {
    private final LiveCluster cluster;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final ProtectedPods protectedPods;

    public SubstituteVictims(
            LiveCluster cluster, RequestedRules requested, ViolationBook book, ProtectedPods protectedPods) {
        this.cluster = cluster;
        this.requested = requested;
        this.book = book;
        this.protectedPods = protectedPods;
    }

    /**
     * {@return the partners to evict instead of the rule owner; empty if the rule owner is the victim}
     *
     * @param candidate the rule owner's candidate, with the policies whose {@code victim} settings count
     * @param asked the violated anti-affinity rule
     */
    List<Pod> of(Candidate candidate, AppliedRule asked, Instant now, Supplier<Partners> partners) {
        Pod owner = candidate.pod();
        List<PolicyId> policies = candidate.requestingPolicies().stream()
                .map(RequestingPolicy::policy)
                .toList();
        if (asked.victim(policies, requested.ceiling()) != VictimChoice.LOWEST_PRIORITY
                || dueForOtherRuleAt(candidate, asked, now)
                        .filter(at -> !now.isBefore(at))
                        .isPresent()) {
            return List.of();
        }
        List<Pod> few = partners.get().few(owner);
        return few.stream().allMatch(pod -> mayGo(pod, owner, policies)) ? few : List.of();
    }

    /**
     * {@return when the rule owner becomes due for a second violated rule, for which it is itself the victim; empty if
     * there is no such rule} One eviction of the rule owner would heal both rules. If a policy of the candidate
     * overrides tenants, only rules of cluster policies count.
     *
     * @param candidate the rule owner's candidate for the other rule, whose violation a move shall heal
     * @param asked the other rule
     */
    Optional<Instant> dueForOtherRuleAt(Candidate candidate, AppliedRule asked, Instant now) {
        Pod owner = candidate.pod();
        boolean regardsTenants = candidate.requestingPolicies().stream()
                .noneMatch(
                        policy -> policy.overridesTenants(candidate.violation().since(), now));
        return cluster.index().rulesOf(owner.uid()).stream()
                .filter(other -> !other.identity().equals(asked.identity()))
                .filter(other -> other.mode(requested.ceiling()) == asked.mode(requested.ceiling()))
                .filter(other -> other.victim(requested.ceiling()) == VictimChoice.RULE_OWNER)
                .filter(other -> other.requestingPolicies(requested.ceiling()).stream()
                        .anyMatch(policy -> (regardsTenants || policy.isOfCluster()) && mayEverGo(owner, policy)))
                .map(other -> new ViolationKey(owner.uid(), owner.nodeName().orElseThrow(), other.identity()))
                .filter(key -> book.find(key).isPresent())
                .map(book.deadlines()::of)
                .min(Comparator.naturalOrder());
    }

    private boolean mayGo(Pod pod, Pod owner, List<PolicyId> policies) {
        return pod.victimProtection().priority() < owner.victimProtection().priority()
                && policies.stream().allMatch(policy -> lets(policy, pod));
    }

    /**
     * {@return whether a policy applies to the pod's namespace, and no permanent hold keeps the policy from evicting
     * the pod}
     */
    private boolean lets(PolicyId id, Pod pod) {
        boolean reached = cluster.index()
                .policy(id)
                .filter(policy -> policy.appliesTo(
                        pod.namespace(), cluster.namespace(pod.namespace()).map(Namespace::labels)))
                .isPresent();
        return reached && mayEverGo(pod, id);
    }

    private boolean mayEverGo(Pod pod, PolicyId id) {
        return Checks.heldFromTheStart(
                        pod, protectedPods, requested.controlsOf(id).allowed())
                .isEmpty();
    }
}
