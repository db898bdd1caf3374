package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import java.util.Optional;

/**
 * A topology domain: all nodes with the same value of one topology key. An empty value is a value (W-7). Nodes count
 * whether or not they are Ready or cordoned (W-6).
 */
record Domain(String topologyKey, String value) {
    /** {@return the domain of the node; empty if the node lacks the key} */
    static Optional<Domain> of(Node node, String topologyKey) {
        return node.labels().get(topologyKey).map(value -> new Domain(topologyKey, value));
    }
}
