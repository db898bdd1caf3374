package dev.holdfast.it.controlplane;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** Node objects for a {@link ControlPlane}. */
public final class NodeObjects {

    private NodeObjects() {}

    /**
     * {@return a Node object, not yet created, with room for 110 pods, 32 cores and 256 GiB}
     *
     * @param labels further labels; {@code kubernetes.io/hostname} is always the node's name
     */
    public static Node node(String name, Map<String, String> labels) {
        Map<String, Quantity> room =
                Map.of("cpu", new Quantity("32"), "memory", new Quantity("256Gi"), "pods", new Quantity("110"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels(labels)
                .addToLabels("kubernetes.io/hostname", name)
                .endMetadata()
                .withNewStatus()
                .withCapacity(room)
                .withAllocatable(room)
                .endStatus()
                .build();
    }

    /**
     * {@return whether the scheduler may place pods on the node: Ready, without a taint, not cordoned} A new node
     * becomes schedulable a moment after its creation.
     */
    public static boolean isSchedulable(Node node) {
        return node.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"))
                && node.getSpec().getTaints().isEmpty()
                && !Boolean.TRUE.equals(node.getSpec().getUnschedulable());
    }
}
