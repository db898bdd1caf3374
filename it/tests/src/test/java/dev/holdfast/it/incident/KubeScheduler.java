package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;

/**
 * Simulates the scheduler: it binds each pending pod to the node with the fewest pods on which all required rules hold.
 */
final class KubeScheduler implements SimulatedController {
    private final ObjectStore store;
    private final ClusterView cluster;
    private final VolumeZones volumeZones;
    private final InstantSource clock;

    KubeScheduler(ObjectStore store, ClusterView cluster, VolumeZones volumeZones, InstantSource clock) {
        this.store = store;
        this.cluster = cluster;
        this.volumeZones = volumeZones;
        this.clock = clock;
    }

    @Override
    public void reconcile() {
        store.all("Pod").stream()
                .filter(pod -> PodObjects.isActive(pod) && PodObjects.node(pod).isEmpty())
                .forEach(this::schedule);
    }

    private void schedule(ObjectNode pod) {
        List<Node> fits = Placement.fits(cluster.pod(PodObjects.uid(pod)).orElseThrow(), List.of(), cluster);
        fits.stream()
                .filter(node -> volumeZones.reach(pod, node))
                .filter(this::hasSeat)
                .min(Comparator.comparingInt(
                                (Node node) -> cluster.podsOn(node.name()).size())
                        .thenComparing(Node::name))
                .ifPresent(node -> store.edit(pod, it -> {
                    it.withObjectProperty("spec").put("nodeName", node.name());
                    PodObjects.condition(it, "PodScheduled", "True", clock.instant());
                }));
    }

    private boolean hasSeat(Node node) {
        return cluster.podsOn(node.name()).size() < node.allocatable().pods();
    }
}
