package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** Tests how many lines about one policy the log has. */
class NotificationLogTest {
    private static final Notification STARTED = new Notification.Started(Samples.violation());
    private static final Notification EVICTED =
            new Notification.Answered(Samples.violation(), "p1", new EvictionAnswer.Evicted());

    private Instant now = Samples.SINCE;
    private final NotificationLog log = new NotificationLog(() -> now);

    private List<ILoggingEvent> lines(int count, Notification notification) {
        return LoggedLines.of("holdfast", () -> {
            for (int i = 0; i < count; i++) {
                log.log(notification);
            }
        });
    }

    @Test
    void aPolicyHasAHundredLinesAtOnceAndThenOneInASecond() {
        assertThat(lines(150, STARTED)).hasSize(100);

        now = now.plusSeconds(3);

        assertThat(lines(150, STARTED)).hasSize(3);
    }

    @Test
    void aLinePerMinuteCountsWhatWasLeftOut() {
        lines(150, STARTED);
        now = now.plusSeconds(60);

        List<ILoggingEvent> later = lines(2, STARTED);

        assertThat(later).hasSize(3);
        assertThat(later.getFirst().getLevel()).isEqualTo(Level.WARN);
        assertThat(later.getFirst().getKeyValuePairs())
                .extracting(KeyValuePair::toString)
                .containsExactly("decision=\"LinesLeftOut\"", "policy=\"shop/web\"", "lines=\"50\"");
    }

    @Test
    void linesAboutEvictionsAreNotLimited() {
        assertThat(lines(150, EVICTED)).hasSize(150);
    }

    @Test
    void aPolicyThatWasDeletedLeavesNothingBehind() {
        lines(150, STARTED);

        log.forget(Samples.POLICY);

        assertThat(lines(150, STARTED)).hasSize(100);
    }

    @Test
    void ofPodsThatAreTooComplexAHundredAreNamedAtOnce() {
        List<ILoggingEvent> lines = LoggedLines.of("holdfast", () -> {
            for (int i = 0; i < 101; i++) {
                log.log(Samples.tooComplex());
            }
        });

        assertThat(lines).hasSize(100);
        assertThat(lines.getFirst().getFormattedMessage())
                .isEqualTo(Samples.tooComplex().message());
        assertThat(lines.getFirst().getKeyValuePairs())
                .extracting(pair -> pair.key)
                .contains("k8s.namespace.name", "k8s.pod.name");
    }
}
