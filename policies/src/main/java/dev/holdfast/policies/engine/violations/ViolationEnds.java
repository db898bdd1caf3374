package dev.holdfast.policies.engine.violations;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;

/** Determines how a violation ended: evicted, deleted, excepted, undetermined or healed. */
public final class ViolationEnds {
    private final LiveCluster cluster;
    private final RequestedRules requested;
    private final MovesInFlight moves;

    public ViolationEnds(LiveCluster cluster, RequestedRules requested, MovesInFlight moves) {
        this.cluster = cluster;
        this.requested = requested;
        this.moves = moves;
    }

    /** {@return how a violation ended, by the present state of its pod and its rule} */
    Notification.End of(ViolationKey key) {
        Optional<Pod> pod = cluster.pod(key.podUid());
        if (pod.isEmpty() || pod.get().terminating() || pod.get().finished()) {
            return moves.isEvicting(key.podUid()) ? Notification.End.EVICTED : Notification.End.POD_GONE;
        }
        if (requested.find(key).isEmpty()) {
            return Notification.End.NOT_REQUESTED;
        }
        return cluster.countedNode(pod.get()).isEmpty() ? Notification.End.UNDETERMINED : Notification.End.HEALED;
    }
}
