package dev.holdfast.policies.engine.eviction;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Move;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds the moves in flight whose outcome an event may decide. */
public final class AffectedMoves {
    private final LiveCluster cluster;
    private final WorkloadPods workloadPods;

    public AffectedMoves(LiveCluster cluster, WorkloadPods workloadPods) {
        this.cluster = cluster;
        this.workloadPods = workloadPods;
    }

    /**
     * {@return a test for the moves in flight whose outcome the event may decide, for example because it makes the
     * replacement of an evicted pod Ready} Must be called before the event is applied, because afterwards a deleted pod
     * or owner is unknown.
     */
    public Predicate<Move> by(Event event) {
        if (event instanceof Event.TimeToCompare) {
            return _ -> false;
        }
        return event instanceof Event.ObjectChanged(ClusterEvent change) ? by(change) : _ -> true;
    }

    private Predicate<Move> by(ClusterEvent fact) {
        return switch (fact) {
            case ClusterEvent.PodChanged(Pod pod) -> move -> workloadPods.concerns(move, pod);
            case ClusterEvent.PodGone(String uid) -> {
                Optional<Pod> pod = cluster.pod(uid);
                yield move -> pod.filter(it -> workloadPods.concerns(move, it)).isPresent();
            }
            case ClusterEvent.OwnerChanged(Owner owner) -> move -> isIn(move, owner);
            case ClusterEvent.OwnerGone(String uid) -> {
                Optional<Owner> owner = cluster.owner(uid);
                yield move -> owner.filter(it -> isIn(move, it)).isPresent();
            }
            case ClusterEvent.OfNode _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> _ -> false;
        };
    }

    private static boolean isIn(Move move, Owner owner) {
        return owner.name().namespace().equals(move.victim().namespace());
    }
}
