package dev.holdfast.policies.engine.protocol.ledger;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.plan.move.EnforcedRules;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The stored form of a move, for the next process of the operator. The rule and most of the pod are left out: the next
 * process finds both in the cluster.
 *
 * @param id the plan ID
 * @param key the violation that the move shall heal
 * @param policy the policy that the pod is moved for
 * @param violation what events and log lines say about the violation; absent once the move has ended
 * @param workload the topmost controller of the victim; absent for a bare pod
 * @param ownerKnown whether the victim's controller was known when the move began: if it is unknown later, it was
 *     deleted
 * @param nodeKeys the keys of the node labels that the rule depends on
 * @param target a node that would take the replacement; absent if none was known
 * @param enforced the rules that policies enforced on the victim when its eviction was planned or, later, requested;
 *     absent if an earlier version of the operator wrote this
 * @param begun an instant shortly before the eviction was requested, or when the move was announced
 * @param evictedAt when the victim was evicted; absent while that is not known
 * @param replacement the replacement, once it is bound to a node
 */
public record RememberedMove(
        String id,
        ViolationKey key,
        PolicyId policy,
        Optional<Violation> violation,
        Victim victim,
        Optional<Workload> workload,
        boolean ownerKnown,
        Set<String> nodeKeys,
        Scope scope,
        Optional<String> target,
        Optional<EnforcedRules> enforced,
        Instant begun,
        Optional<Instant> evictedAt,
        Optional<Replacement> replacement) {
    public RememberedMove {
        nodeKeys = Set.copyOf(nodeKeys);
    }

    /**
     * The details of a violation for events and log lines.
     *
     * @param owner the rule owner
     * @param rule the rule's name in the policy, or its kind
     * @param demand the requirement of the rule, as text
     * @param since when the violation started
     */
    public record Violation(NamespacedName owner, String rule, String demand, Instant since) {}

    /**
     * The victim, as it was when the move was planned.
     *
     * @param controller the direct controller of the victim; absent for a bare pod
     */
    public record Victim(
            String uid,
            NamespacedName name,
            String node,
            Optional<Controller> controller,
            boolean ready,
            RestartPolicy restartPolicy) {}

    /** The pod that replaces the victim, and the node that it is bound to. */
    public record Replacement(String uid, String node) {}

    /** A move that ended without a Ready replacement, and when it ended. */
    public record Missing(RememberedMove move, Instant at) {}
}
