package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Node;
import java.util.Optional;

/** A node by name, known or only spoken of by pods, and the pods bound to it. */
final class NodeEntry {
    final PodList pods = new PodList((pod, place) -> pod.placeOnNode = place);
    private Optional<Node> node = Optional.empty();

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
