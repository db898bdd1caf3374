package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.memory.MovesInFlight;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Futility;
import dev.holdfast.policies.plan.move.Futility.Subject;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Sees what may let a move help where others were in vain, and forgets those of which nobody is left. */
final class FutilityResets {
    /** How often it is looked who is left, and how long nobody may be there: longer than a replacement is waited for. */
    private static final Duration SWEEP = Duration.ofHours(1);

    private final LiveCluster cluster;
    private final MovesInFlight moves;

    private Instant nextSweep = Instant.MIN;

    FutilityResets(LiveCluster cluster, MovesInFlight moves) {
        this.cluster = cluster;
        this.moves = moves;
    }

    /** Looks at a fact that is not applied yet. */
    void see(ClusterEvent fact, Instant now) {
        if (fact instanceof ClusterEvent.NodeChanged(Node node) && mayHelp(cluster.node(node.name()), node)) {
            moves.futility().nodeChanged(now);
        }
    }

    private static boolean mayHelp(Optional<Node> before, Node node) {
        return before.filter(it -> (it.ready() || !node.ready())
                        && (!it.unschedulable() || node.unschedulable())
                        && it.taints().equals(node.taints())
                        && it.labels().equals(node.labels()))
                .isEmpty();
    }

    /** Looks at a policy as it is said to be now, before that is known. */
    void see(Policy policy) {
        boolean known = cluster.index()
                .policy(policy.id())
                .filter(it -> it.generation() == policy.generation())
                .isPresent();
        if (!known) {
            moves.futility().edited(policy.id());
        }
    }

    /** Forgets, once an hour, moves in vain of revisions that have no pods any more, or none that the rule is for. */
    void sweep(Instant now) {
        Futility futility = moves.futility();
        if (now.isBefore(nextSweep)) {
            return;
        }
        nextSweep = now.plus(SWEEP);
        Set<Subject> living = new HashSet<>();
        for (Move move : moves.all()) {
            Subject.of(move.victim(), move.key().rule()).ifPresent(living::add);
        }
        for (String namespace : futility.namespaces()) {
            for (Pod pod : cluster.podsIn(namespace)) {
                for (HeldRule rule : cluster.index().rulesOf(pod.uid())) {
                    Subject.of(pod, rule.identity()).ifPresent(living::add);
                }
            }
        }
        futility.forgetBefore(now.minus(SWEEP), living);
    }
}
