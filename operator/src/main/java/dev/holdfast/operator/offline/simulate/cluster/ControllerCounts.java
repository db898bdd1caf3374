package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.view.ForwardingView;
import dev.holdfast.policies.plan.move.ReplicaCounts;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the pods of controllers, of each one only its own: to count all pods of a large namespace for each pod that is
 * created takes too long.
 */
final class ControllerCounts {
    private final LiveCluster cluster;
    private final Map<Key, ReplicaCounts> counts = new HashMap<>();

    private record Key(String namespace, String controller) {}

    /** A cluster in which a namespace has only the pods of one controller. */
    private record PodsOfOne(LiveCluster cluster, String controller) implements ForwardingView {
        @Override
        public ClusterView view() {
            return cluster;
        }

        @Override
        public Collection<Pod> podsIn(String namespace) {
            return cluster.podsControlledBy(controller).stream()
                    .filter(pod -> pod.namespace().equals(namespace))
                    .toList();
        }
    }

    /** @param cluster the cluster, of which a controller is counted when its first pod is asked about */
    ControllerCounts(LiveCluster cluster) {
        this.cluster = cluster;
    }

    /** {@return the counts of the controller of a pod} */
    ReplicaCounts of(Pod pod) {
        String controller =
                pod.victimProtection().controller().map(Controller::uid).orElse("");
        return counts.computeIfAbsent(
                new Key(pod.namespace(), controller), _ -> new ReplicaCounts(new PodsOfOne(cluster, controller)));
    }
}
