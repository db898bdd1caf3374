package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Nodes and namespaces with more parts than Holdfast reads. */
class ReadableObjectsTest {
    private final ReadableObjects events = new ReadableObjects();

    private final Logger logger = (Logger) LoggerFactory.getLogger(ReadableObjects.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private static Node node(Optional<String> tooComplex) {
        NodeLifecycle life = new NodeLifecycle(true, Optional.empty(), Instant.EPOCH, Optional.empty());
        return new Node("n1", "u-1", 12, Labels.none(), List.of(), false, life, Resources.none(), tooComplex);
    }

    @Test
    void aNodeThatWasReadInFull() {
        Node node = node(Optional.empty());

        assertThat(events.node(node)).isEqualTo(new ClusterEvent.NodeChanged(node));
    }

    @Test
    void aNodeThatIsTooComplexIsUnreadUntilItIsNotAndNamedOnce() {
        Node odd = node(Optional.of("it has 2,000 labels, and Holdfast reads at most 1,024"));
        Node plain = node(Optional.empty());

        assertThat(events.node(odd)).isEqualTo(new ClusterEvent.NodeUnread(odd));
        assertThat(events.node(odd)).isEqualTo(new ClusterEvent.NodeUnread(odd));
        assertThat(events.node(plain)).isEqualTo(new ClusterEvent.NodeChanged(plain));
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "Of this node, only its name, zone and region are read: it has 2,000 labels, and Holdfast"
                            + " reads at most 1,024; remove what the node does not need. Pods that it may concern are"
                            + " held TooComplex");
    }

    @BeforeEach
    void listen() {
        lines.start();
        logger.setAdditive(false);
        logger.addAppender(lines);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
    }

    @Test
    void aNamespaceWhoseLabelsAreUnreadIsNamedOnceUntilItIsReadable() {
        Namespace odd = new Namespace("odd", 1, Labels.unread());
        Namespace plain = new Namespace("odd", 2, Labels.none());

        assertThat(events.namespace(odd)).isEqualTo(new ClusterEvent.NamespaceChanged(odd));
        events.namespace(odd);
        assertThat(events.namespace(plain)).isEqualTo(new ClusterEvent.NamespaceChanged(plain));
        events.namespace(odd);

        assertThat(lines.list)
                .hasSize(2)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsOnly("Labels of a namespace are not read: there are more than 128, or more than 6,144"
                        + " characters in them; each EnforcementPause applies to it");
    }
}
