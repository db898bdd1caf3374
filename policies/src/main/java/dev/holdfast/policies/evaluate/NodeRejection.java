package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.Node;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Decides whether one pod can be placed on a node. If not, the result is the reason as short text, for example {@code
 * not Ready}. A message puts the number of such nodes before the text: {@code 7 not Ready}.
 */
@FunctionalInterface
public interface NodeRejection {
    /** A rejection of no node. */
    NodeRejection NONE = _ -> Optional.empty();

    /** {@return why the pod cannot be placed on the node; empty if the node is accepted} */
    Optional<String> to(Node node);

    /** {@return a rejection that gives the text {@code words} for each node for which {@code accepted} is false} */
    static NodeRejection unless(Predicate<Node> accepted, String words) {
        Optional<String> rejection = Optional.of(words);
        return node -> accepted.test(node) ? Optional.empty() : rejection;
    }

    /**
     * {@return a rejection that {@code maker} creates only when a first node is checked, for makers that read many
     * pods}
     */
    static NodeRejection prepared(Supplier<NodeRejection> maker) {
        return new LazyRejection(maker);
    }

    /**
     * {@return a rejection of the nodes that this rejection, {@code other} or both reject; if both do, this one gives
     * the text}
     */
    default NodeRejection or(NodeRejection other) {
        return node -> {
            Optional<String> first = to(node);
            return first.isPresent() ? first : other.to(node);
        };
    }
}
