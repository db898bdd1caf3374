package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AuditLogTest {
    private static final Instant NOW = Samples.SINCE.plus(Duration.ofSeconds(602));
    private static final String VIOLATION =
            "\"plan\":\"p1\",\"policy\":\"shop/web\",\"rule\":\"ssd\",\"ruleIdentity\":\"0123456789abcdef\",\"demand\":\"disk"
                + " In [ssd]\",\"cause\":\"NodeLabelChanged\",\"causeDetail\":\"label disk of node node-12 changed ssd"
                + " -> hdd\",\"breach\":\"node-12 does not match disk In [ssd]: it has"
                + " disk=hdd\",\"since\":\"2026-11-20T15:32:08Z\","
                + "\"forgivenessSeconds\":600,\"deadline\":\"2026-11-20T15:42:08Z\",\"namespace\":\"shop\",\"pod\":\"web-1\","
                + "\"podUid\":\"web-1-uid\",\"node\":\"node-12\",\"controller\":\"ReplicaSet/web-5d9f8\"";

    private final Logger logger = (Logger) LoggerFactory.getLogger("audit");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final AuditLog audit = new AuditLog(() -> NOW);

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    @Test
    void thePodThatGoesIsNamedAndForWhomItGoes() {
        audit.write(new Notification.Evicting(Samples.insteadOf(), "p1", Optional.empty()));

        assertThat(lines.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .endsWith("\"namespace\":\"data\",\"pod\":\"batch-1\",\"podUid\":\"batch-1-uid\","
                        + "\"node\":\"node-13\",\"insteadOf\":\"shop/web-1\"}");
    }

    @Test
    void aSeparatorAtWhichSomeReadersEndALineIsEscaped() {
        audit.write(new Notification.Answered(
                Samples.violation(), "p1", new EvictionAnswer.RefusedByAdmission("no\u2028{}\u0085{}\n{}")));

        assertThat(lines.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .endsWith("\"message\":\"no\\u2028{}\\u0085{}\\n{}\"}");
    }

    @Test
    void oneLineForEachStepOfAnEviction() {
        audit.write(new Notification.Started(Samples.violation()));
        audit.write(new Notification.Evicting(Samples.violation(), "p1", Optional.of("node-7")));
        audit.write(new Notification.Answered(
                Samples.violation(), "p1", new EvictionAnswer.OutOfBudget("budget web", Optional.empty())));
        audit.write(
                new Notification.Moved(Samples.violation(), "p1", Outcome.MOVED, Optional.of("node-7"), Samples.SINCE));

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "{\"time\":\"2026-11-20T15:42:10Z\",\"event\":\"Requested\"," + VIOLATION
                                + ",\"target\":\"node-7\"}",
                        "{\"time\":\"2026-11-20T15:42:10Z\",\"event\":\"Answered\"," + VIOLATION
                                + ",\"answer\":\"DisruptionBudget\",\"message\":\"budget web\"}",
                        "{\"time\":\"2026-11-20T15:42:10Z\",\"event\":\"Ended\"," + VIOLATION
                                + ",\"outcome\":\"Moved\",\"toNode\":\"node-7\",\"evictedAt\":\"2026-11-20T15:32:08Z\"}");
    }
}
