package dev.holdfast.operator.feed;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts nodes to cluster events. A node with more labels or taints than Holdfast reads counts as missing: nothing can be
 * said about the pods on it, and no pod is moved to it. The log names each such node once.
 */
final class ReadableNodes implements Function<Node, ClusterEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(ReadableNodes.class);

    /** How many nodes are named. Each name takes memory, and thousands of lines hide others. */
    private static final int MOST_NAMED = 100;

    private final Set<String> named = new HashSet<>();

    @Override
    public ClusterEvent apply(Node node) {
        if (node.tooComplex().isEmpty()) {
            named.remove(node.name());
            return new ClusterEvent.NodeChanged(node);
        }
        if (named.size() < MOST_NAMED && named.add(node.name())) {
            LOG.atWarn()
                    .addKeyValue("k8s.node.name", node.name())
                    .log("Node counts as missing: " + node.tooComplex().get());
        }
        return new ClusterEvent.NodeGone(node.name());
    }
}
