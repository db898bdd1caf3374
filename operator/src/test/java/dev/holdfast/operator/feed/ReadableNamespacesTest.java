package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ReadableNamespacesTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(ReadableNamespaces.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

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
        ReadableNamespaces events = new ReadableNamespaces();
        Namespace odd = new Namespace("odd", 1, Labels.unread());
        Namespace plain = new Namespace("odd", 2, Labels.none());

        assertThat(events.apply(odd)).isEqualTo(new ClusterEvent.NamespaceChanged(odd));
        events.apply(odd);
        assertThat(events.apply(plain)).isEqualTo(new ClusterEvent.NamespaceChanged(plain));
        events.apply(odd);

        assertThat(lines.list)
                .hasSize(2)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsOnly("Labels of a namespace are not read: there are more than 128, or more than 6,144"
                        + " characters in them; each EnforcementPause applies to it");
    }
}
