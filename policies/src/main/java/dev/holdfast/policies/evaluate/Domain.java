package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.QuotedText;
import java.util.Optional;

/**
 * A topology domain: all nodes with the same value for one topology key, for example a zone. The empty string is a
 * value (W-7). Nodes belong to a domain even if they are cordoned or not Ready (W-6).
 */
record Domain(String topologyKey, String value) {
    /** {@return the domain of the node for a topology key; empty if the node does not have the key} */
    static Optional<Domain> of(Node node, String topologyKey) {
        return node.labels().get(topologyKey).map(value -> new Domain(topologyKey, value));
    }

    /** {@return the domain as text for messages: {@code zone=a}, or {@code zone=""}} */
    static String text(String topologyKey, String value) {
        return topologyKey + "=" + QuotedText.value(value);
    }
}
