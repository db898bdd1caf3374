package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What speaks against placing one pod on a node, in a few words that fit after a number of nodes. */
@FunctionalInterface
public interface NodeRejection {
    /** Nothing speaks against any node. */
    NodeRejection NONE = _ -> Optional.empty();

    /** {@return the objection; empty where nothing speaks against the node} */
    Optional<String> to(Node node);

    /** {@return an objection in these words to all nodes but those that are accepted} */
    static NodeRejection unless(Predicate<Node> accepted, String words) {
        Optional<String> objection = Optional.of(words);
        return node -> accepted.test(node) ? Optional.empty() : objection;
    }

    /** {@return the objection that is made when the first node is asked about} */
    static NodeRejection prepared(Supplier<NodeRejection> maker) {
        return new LazyRejection(maker);
    }

    /** {@return the first objection of the two} */
    default NodeRejection or(NodeRejection other) {
        return node -> {
            Optional<String> first = to(node);
            return first.isPresent() ? first : other.to(node);
        };
    }
}
