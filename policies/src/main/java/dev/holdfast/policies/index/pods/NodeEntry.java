package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.model.Node;
import java.util.Optional;

/** A node by name, known or only spoken of by pods, and the pods bound to it. */
final class NodeEntry {
    final PodList pods = new PodList((pod, place) -> pod.placeOnNode = place);
    private final Optional<String> name;
    private Optional<Node> node = Optional.empty();

    NodeEntry(String name) {
        this.name = Optional.of(name);
    }

    /** {@return the name, for pods to share} */
    Optional<String> name() {
        return name;
    }

    /** {@return the node; absent while no such object exists} */
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
