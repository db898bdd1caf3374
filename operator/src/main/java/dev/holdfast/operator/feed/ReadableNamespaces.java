package dev.holdfast.operator.feed;

import dev.holdfast.operator.decode.NamespaceDecoder;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Namespace;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts namespaces to cluster events. The labels of a namespace are unread if there are more than Holdfast reads: only empty
 * selectors match it, and each pause applies to it. The log names each such namespace once.
 */
final class ReadableNamespaces implements Function<Namespace, ClusterEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(ReadableNamespaces.class);

    /** How many namespaces are named. Each name takes memory, and thousands of lines hide others. */
    private static final int MOST_NAMED = 100;

    private final Set<String> named = new HashSet<>();

    @Override
    public ClusterEvent apply(Namespace namespace) {
        if (!namespace.labels().areUnread()) {
            named.remove(namespace.name());
        } else if (named.size() < MOST_NAMED && named.add(namespace.name())) {
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
}
