package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import java.util.Optional;

/**
 * All nodes that carry one label with one value. An empty value is a value (W-7); whether nodes are ready or cordoned
 * plays no part (W-6).
 */
record Domain(String topologyKey, String value) {
    /** {@return the domain the node is in; none when it lacks the key} */
    static Optional<Domain> of(Node node, String topologyKey) {
        return node.labels().get(topologyKey).map(value -> new Domain(topologyKey, value));
    }
}
