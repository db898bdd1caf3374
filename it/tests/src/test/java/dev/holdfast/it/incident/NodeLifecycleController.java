package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Simulates the node lifecycle controller: a failed node and its pods are not Ready, and the node is tainted. After 300
 * s the node's pods are deleted, unless the node recovers before.
 */
final class NodeLifecycleController {
    /** How long after the recovery of a node its pods are Ready again. */
    private static final Duration BACK = Duration.ofSeconds(5);

    private final ObjectStore store;
    private final VirtualTime time;
    private final Set<String> down = new HashSet<>();

    NodeLifecycleController(ObjectStore store, VirtualTime time) {
        this.store = store;
        this.time = time;
    }

    /** Cordons or uncordons a node, and gives it the taint of cordoned nodes, or takes that away. */
    void cordon(ObjectNode node, boolean closed) {
        store.edit(node, it -> {
            ObjectNode spec = it.withObjectProperty("spec").put("unschedulable", closed);
            ArrayNode taints = spec.withArrayProperty("taints");
            taints.removeIf(taint -> taint.path("key").asText().equals("node.kubernetes.io/unschedulable"));
            if (closed) {
                taints.addObject()
                        .put("key", "node.kubernetes.io/unschedulable")
                        .put("effect", "NoSchedule");
            }
        });
    }

    boolean isDown(String node) {
        return down.contains(node);
    }

    /** Lets a node fail, as if its kubelet sent no more heartbeats. */
    void fail(ObjectNode node) {
        String name = PodObjects.name(node);
        down.add(name);
        store.edit(node, it -> {
            PodObjects.condition(it, "Ready", "Unknown", time.instant());
            ArrayNode taints = it.withObjectProperty("spec").withArrayProperty("taints");
            taints.addObject().put("key", "node.kubernetes.io/unreachable").put("effect", "NoSchedule");
            taints.addObject().put("key", "node.kubernetes.io/unreachable").put("effect", "NoExecute");
        });
        podsOn(name, pod -> PodObjects.condition(pod, "Ready", "False", time.instant()));
        time.after(PodObjects.staysOnFailedNode(), () -> {
            if (isDown(name)) {
                podsOn(name, pod -> PodObjects.terminate(pod, time.instant()));
            }
        });
    }

    /** Lets a failed node recover, as if its kubelet sent heartbeats again. */
    void recover(ObjectNode node) {
        String name = PodObjects.name(node);
        down.remove(name);
        store.edit(node, it -> {
            PodObjects.condition(it, "Ready", "True", time.instant());
            ArrayNode taints = it.withObjectProperty("spec").withArrayProperty("taints");
            taints.removeIf(taint -> taint.path("key").asText().equals("node.kubernetes.io/unreachable"));
        });
        time.after(
                BACK,
                () -> podsOn(name, pod -> {
                    if (PodObjects.phase(pod).equals("Running")) {
                        PodObjects.condition(pod, "Ready", "True", time.instant());
                    }
                }));
    }

    private void podsOn(String node, java.util.function.Consumer<ObjectNode> edit) {
        for (ObjectNode pod : store.all("Pod")) {
            boolean there = PodObjects.node(pod).filter(node::equals).isPresent();
            if (there
                    && PodObjects.isActive(pod)
                    && store.find(ObjectStore.Key.of(pod)).isPresent()) {
                store.edit(pod, edit);
            }
        }
    }

    /** Makes a node as it is after its registration, Ready and with its name as the hostname label, and returns it. */
    ObjectNode registered(ObjectNode node) {
        JsonNode labels = node.path("metadata").path("labels");
        if (!labels.has("kubernetes.io/hostname")) {
            node.withObject("/metadata/labels").put("kubernetes.io/hostname", PodObjects.name(node));
        }
        PodObjects.condition(node, "Ready", "True", time.instant());
        return node;
    }
}
