package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.breaker.OutcomeBreaker;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.memory.MovesInFlight;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.plan.move.Futility;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Allows further moves of a workload after futile ones, once a node or policy has changed in a way that may help. A
 * move is futile if the replacement broke the rule again, or was not Ready in time. Also forgets the futile moves of
 * workload revisions without pods.
 */
final class FutilityResets {
    /**
     * The time between two calls of {@link #sweep} that do something, and how long a futile move is kept at least. So
     * the futile moves of a workload that has no pods for a short time are not forgotten.
     */
    private static final Duration SWEEP = Duration.ofHours(1);

    private final LiveCluster cluster;
    private final MovesInFlight moves;
    private final OutcomeBreaker outcomeBreaker;

    private Instant nextSweep = Instant.MIN;

    FutilityResets(LiveCluster cluster, MovesInFlight moves, OutcomeBreaker outcomeBreaker) {
        this.cluster = cluster;
        this.moves = moves;
        this.outcomeBreaker = outcomeBreaker;
    }

    /**
     * Notes that a node changes in a way that may let the next move succeed, for example becomes Ready. Must be called
     * before the change is applied to the cluster state, because it compares the node with its old state.
     */
    void beforeChange(ClusterEvent fact, Instant now) {
        if (fact instanceof ClusterEvent.NodeChanged(Node node) && mayHelp(cluster.node(node.name()), node)) {
            moves.futility().nodeChanged(now);
        }
    }

    private static boolean mayHelp(Optional<Node> before, Node node) {
        return before.filter(it -> (it.ready() || !node.ready())
                        && (!it.unschedulable() || node.unschedulable())
                        && (LeavingNodes.closed(it).isEmpty()
                                || LeavingNodes.closed(node).isPresent())
                        && it.taints().equals(node.taints())
                        && it.labels().equals(node.labels()))
                .isEmpty();
    }

    /**
     * Allows further moves after futile ones for a policy that is created or edited. Must be called before the engine
     * applies the new policy, because it compares the old generation with the new one.
     */
    void beforeChange(Policy policy) {
        boolean known = cluster.index()
                .policy(policy.id())
                .filter(it -> it.generation() == policy.generation())
                .isPresent();
        if (!known) {
            moves.futility().edited(policy.id());
            moves.moves().repeated().edited(policy.id());
        }
    }

    /**
     * Once an hour, forgets old futile moves that no longer matter: the rule applies to no pod of that workload
     * revision any more.
     */
    void sweep(Instant now) {
        Futility futility = moves.futility();
        if (now.isBefore(nextSweep)) {
            return;
        }
        nextSweep = now.plus(SWEEP);
        Set<Futility.Key> living = new HashSet<>();
        for (Move move : moves.all()) {
            Futility.Key.of(move.victim(), move.key().rule()).ifPresent(living::add);
        }
        for (String namespace : futility.namespaces()) {
            for (Pod pod : cluster.podsIn(namespace)) {
                for (AppliedRule rule : cluster.index().rulesOf(pod.uid())) {
                    Futility.Key.of(pod, rule.identity()).ifPresent(living::add);
                }
            }
        }
        if (futility.forgetBefore(now.minus(SWEEP), living)) {
            moves.reconsider();
        }
        moves.forgetOld(outcomeBreaker::counts, outcomeBreaker::holds, now);
    }
}
