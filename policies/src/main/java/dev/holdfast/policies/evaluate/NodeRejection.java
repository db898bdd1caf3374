package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Why one pod cannot be placed on a node: a short text that messages show after a number of nodes. */
@FunctionalInterface
public interface NodeRejection {
    /** Accepts every node. */
    NodeRejection NONE = _ -> Optional.empty();

    /** {@return the reason against the node; empty if the node is accepted} */
    Optional<String> to(Node node);

    /** {@return a rejection with this text of all nodes that are not accepted} */
    static NodeRejection unless(Predicate<Node> accepted, String words) {
        Optional<String> objection = Optional.of(words);
        return node -> accepted.test(node) ? Optional.empty() : objection;
    }

    /** {@return a rejection that is computed when the first node is checked} */
    static NodeRejection prepared(Supplier<NodeRejection> maker) {
        return new LazyRejection(maker);
    }

    /** {@return a rejection that gives the reason of this one, else the reason of {@code other}} */
    default NodeRejection or(NodeRejection other) {
        return node -> {
            Optional<String> first = to(node);
            return first.isPresent() ? first : other.to(node);
        };
    }
}
