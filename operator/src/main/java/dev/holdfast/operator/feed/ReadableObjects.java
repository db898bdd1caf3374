package dev.holdfast.operator.feed;

import dev.holdfast.operator.decode.NamespaceDecoder;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts nodes and namespaces to cluster events, also those that have more parts than Holdfast reads. The log names
 * each such object once. Used by the thread of one {@link KindReader}.
 */
final class ReadableObjects {
    private static final Logger LOG = LoggerFactory.getLogger(ReadableObjects.class);

    /** The maximum number of objects that the log names. Each name takes memory, and thousands of lines hide others. */
    private static final int MOST_NAMED = 100;

    private final Set<String> named = new HashSet<>();

    /**
     * {@return the event of a node} Of a node with more labels or taints than Holdfast reads, only name, zone and
     * region are known. The pods on such a node have no verdicts, violations that they may end are held, and no pod is
     * moved to the node.
     */
    ClusterEvent node(Node node) {
        if (node.tooComplex().isEmpty()) {
            named.remove(node.name());
            return new ClusterEvent.NodeChanged(node);
        }
        if (isNew(node.name())) {
            LOG.atWarn()
                    .addKeyValue("k8s.node.name", node.name())
                    .log("Of this node, only its name, zone and region are read: "
                            + node.tooComplex().get()
                            + "; remove what the node does not need. Pods that it may concern are held TooComplex");
        }
        return new ClusterEvent.NodeUnread(node);
    }

    /**
     * {@return the event of a namespace} The labels of a namespace are unread if there are more than Holdfast reads:
     * only empty selectors match it, and each pause applies to it.
     */
    ClusterEvent namespace(Namespace namespace) {
        if (!namespace.labels().areUnread()) {
            named.remove(namespace.name());
        } else if (isNew(namespace.name())) {
            LOG.atWarn()
                    .addKeyValue("k8s.namespace.name", namespace.name())
                    .log(String.format(
                            Locale.ROOT,
                            "Labels of a namespace are not read: there are more than %,d, or more than %,d characters"
                                    + " in them; each EnforcementPause applies to it",
                            NamespaceDecoder.MOST_LABELS,
                            NamespaceDecoder.MOST_CHARACTERS));
        }
        return new ClusterEvent.NamespaceChanged(namespace);
    }

    private boolean isNew(String name) {
        return named.size() < MOST_NAMED && named.add(name);
    }
}
