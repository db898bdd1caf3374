package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.model.Node;
import java.util.Optional;

/** A node with the pods that are bound to it. The Node object may be missing. */
final class NodeEntry {
    final PodList pods = new PodList((pod, place) -> pod.placeOnNode = place);
    private final Optional<String> name;
    private Optional<Node> node = Optional.empty();

    NodeEntry(String name) {
        this.name = Optional.of(name);
    }

    /** {@return the node's name; all pods on the node share this instance to save memory} */
    Optional<String> name() {
        return name;
    }

    /** {@return the Node object; empty while it does not exist} */
    Optional<Node> node() {
        return node;
    }

    void is(Optional<Node> now) {
        node = now;
    }

    boolean isUnused() {
        return node.isEmpty() && pods.isEmpty();
    }
}
