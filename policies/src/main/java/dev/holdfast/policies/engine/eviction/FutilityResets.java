package dev.holdfast.policies.engine.eviction;

import dev.holdfast.policies.engine.breaker.OutcomeBreaker;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.MoveHistory;
import dev.holdfast.policies.rule.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Allows further moves of a workload after futile ones, once a node or a rule has changed in a way that may help. A
 * move is futile if the replacement breaks no fewer rules than the victim did, or was not Ready in time. Also forgets
 * the futile moves of workload revisions without pods.
 */
public final class FutilityResets {
    /**
     * The time between two calls of {@link #sweep} that do something, and how long a futile move is kept at least. So
     * the futile moves of a workload that has no pods for a short time are not forgotten.
     */
    private static final Duration SWEEP = Duration.ofHours(1);

    private final LiveCluster cluster;
    private final MovesInFlight moves;
    private final OutcomeBreaker outcomeBreaker;

    private final Optional<String> teamLabel;

    private Instant nextSweep = Instant.MIN;

    public FutilityResets(
            LiveCluster cluster, MovesInFlight moves, OutcomeBreaker outcomeBreaker, Optional<String> teamLabel) {
        this.cluster = cluster;
        this.moves = moves;
        this.outcomeBreaker = outcomeBreaker;
        this.teamLabel = teamLabel;
    }

    /**
     * Notes that a node changes in a way that may let the next move succeed, for example becomes Ready, or that a
     * namespace gets another tenant. Must be called before the change is applied to the cluster state, because it
     * compares the node with its old state.
     */
    public void beforeChange(ClusterEvent fact, Instant now) {
        if (fact instanceof ClusterEvent.NodeChanged(Node node) && mayHelp(cluster.node(node.name()), node)) {
            moves.history().nodeChanged(now);
        }
        if (fact instanceof ClusterEvent.NamespaceChanged(Namespace after)) {
            changesTeam(after.name(), Optional.of(after));
        }
        if (fact instanceof ClusterEvent.NamespaceGone(String name)) {
            changesTeam(name, Optional.empty());
        }
    }

    private void changesTeam(String namespace, Optional<Namespace> after) {
        if (!team(cluster.namespace(namespace)).equals(team(after))) {
            moves.history().tenantsChanged();
        }
    }

    private Optional<String> team(Optional<Namespace> namespace) {
        return teamLabel.flatMap(key -> namespace.flatMap(it -> it.labels().get(key)));
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
     * Allows further moves after futile ones for a policy whose rules change in content. Other edits change nothing,
     * and neither do the deletion and creation of a policy: it may be created under another name with the same rules.
     * Must be called before the engine applies the new policy, because it compares the old one with the new one.
     */
    public void beforeChange(Policy policy) {
        if (cluster.index()
                .policy(policy.id())
                .filter(before -> !before.requirements().equals(policy.requirements()))
                .isPresent()) {
            moves.history().edited(policy.id());
        }
    }

    /**
     * Once an hour, forgets old futile moves that no longer matter: none of their rules applies to a pod of that owner
     * any more, for example because the policy was deleted.
     */
    public void sweep(Instant now) {
        MoveHistory history = moves.history();
        if (now.isBefore(nextSweep)) {
            return;
        }
        nextSweep = now.plus(SWEEP);
        Set<MoveHistory.Owner> living = new HashSet<>();
        for (Move move : moves.all()) {
            MoveHistory.Owner.of(move.victim()).ifPresent(living::add);
        }
        for (String namespace : history.namespaces()) {
            for (Pod pod : cluster.podsIn(namespace)) {
                MoveHistory.Owner.of(pod)
                        .filter(owner -> isHeldToFutileRule(pod, owner))
                        .ifPresent(living::add);
            }
        }
        if (history.forgetBefore(now.minus(SWEEP), living)) {
            moves.reconsider();
        }
        moves.forgetOld(outcomeBreaker::counts, outcomeBreaker::holds, now);
    }

    private boolean isHeldToFutileRule(Pod pod, MoveHistory.Owner owner) {
        return moves.history()
                .streak(owner)
                .filter(streak ->
                        cluster.index().rulesOf(pod.uid()).stream().anyMatch(rule -> streak.isFor(rule.identity())))
                .isPresent();
    }
}
