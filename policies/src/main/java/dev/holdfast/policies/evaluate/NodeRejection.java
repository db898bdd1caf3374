package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Why one pod cannot be placed on a node, as short text: {@code not Ready}, in messages {@code 7 not Ready}. */
@FunctionalInterface
public interface NodeRejection {
    /** Accepts every node. */
    NodeRejection NONE = _ -> Optional.empty();

    /** {@return why the pod cannot be placed on the node; empty if the node is accepted} */
    Optional<String> to(Node node);

    /** {@return a rejection that gives the text {@code words} for each node that {@code accepted} refuses} */
    static NodeRejection unless(Predicate<Node> accepted, String words) {
        Optional<String> objection = Optional.of(words);
        return node -> accepted.test(node) ? Optional.empty() : objection;
    }

    /** {@return a rejection that calls {@code maker} once, when the first node is checked} */
    static NodeRejection prepared(Supplier<NodeRejection> maker) {
        return new LazyRejection(maker);
    }

    /** {@return a rejection of all nodes that this or {@code other} rejects; if both do, with the text of this one} */
    default NodeRejection or(NodeRejection other) {
        return node -> {
            Optional<String> first = to(node);
            return first.isPresent() ? first : other.to(node);
        };
    }
}
