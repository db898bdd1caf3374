package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;

/** Binds each pod that waits to the emptiest of the nodes on which all its required rules hold. */
final class Scheduler implements Controller {
    private final ObjectStore store;
    private final ClusterView cluster;
    private final Volumes volumes;
    private final InstantSource clock;

    Scheduler(ObjectStore store, ClusterView cluster, Volumes volumes, InstantSource clock) {
        this.store = store;
        this.cluster = cluster;
        this.volumes = volumes;
        this.clock = clock;
    }

    @Override
    public void reconcile() {
        store.all("Pod").stream()
                .filter(pod -> Pods.isActive(pod) && Pods.node(pod).isEmpty())
                .forEach(this::schedule);
    }

    private void schedule(ObjectNode pod) {
        List<Node> fits = Placement.fits(cluster.pod(Pods.uid(pod)).orElseThrow(), List.of(), cluster);
        fits.stream()
                .filter(node -> volumes.reach(pod, node))
                .filter(this::hasSeat)
                .min(Comparator.comparingInt(
                                (Node node) -> cluster.podsOn(node.name()).size())
                        .thenComparing(Node::name))
                .ifPresent(node -> store.edit(pod, it -> {
                    it.withObjectProperty("spec").put("nodeName", node.name());
                    Pods.condition(it, "PodScheduled", "True", clock.instant());
                }));
    }

    private boolean hasSeat(Node node) {
        return cluster.podsOn(node.name()).size() < node.allocatable().pods();
    }
}
