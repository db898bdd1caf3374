package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** Tests how many lines about one policy the log has. */
class NotificationLogTest {
    private static final Notification STARTED = new Notification.Started(Samples.violation());
    private static final Notification EVICTED =
            new Notification.Answered(Samples.violation(), "p1", new EvictionAnswer.Evicted());

    private Instant now = Samples.SINCE;
    private boolean leads = true;
    private final NotificationLog log = new NotificationLog(() -> leads, () -> now);

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
    void linesOfAReplicaThatDoesNotLeadSaySo() {
        leads = false;
        assertThat(lines(1, STARTED).getFirst().getKeyValuePairs())
                .extracting(KeyValuePair::toString)
                .contains("standby=\"true\"");

        leads = true;
        assertThat(lines(1, STARTED).getFirst().getKeyValuePairs())
                .extracting(pair -> pair.key)
                .doesNotContain("standby");
    }

    @Test
    void aLinePerMinuteCountsWhatWasLeftOutThoughNoOtherLineFollows() {
        lines(150, STARTED);

        List<ILoggingEvent> later = LoggedLines.of("holdfast", log::sumUp);
        lines(20, STARTED);
        now = now.plusSeconds(59);
        List<ILoggingEvent> early = LoggedLines.of("holdfast", log::sumUp);
        now = now.plusSeconds(1);
        List<ILoggingEvent> next = LoggedLines.of("holdfast", log::sumUp);

        assertThat(early).isEmpty();
        assertThat(next).hasSize(1);
        assertThat(next.getFirst().getKeyValuePairs())
                .extracting(KeyValuePair::toString)
                .contains("lines=\"20\"");
        assertThat(later).hasSize(1);
        assertThat(later.getFirst().getLevel()).isEqualTo(Level.WARN);
        assertThat(later.getFirst().getKeyValuePairs())
                .extracting(KeyValuePair::toString)
                .containsExactly("decision=\"LinesLeftOut\"", "policy=\"shop/web\"", "lines=\"50\"");
    }

    private static Notification of(PolicyId policy) {
        return new Notification.Started(Samples.with(Samples.violation().victim(), policy, Samples.violation()));
    }

    private List<ILoggingEvent> linesOf(int policies, Function<String, PolicyId> id) {
        return LoggedLines.of("holdfast", () -> {
            for (int i = 0; i < policies; i++) {
                for (int line = 0; line < 100; line++) {
                    log.log(of(id.apply("policy-" + i)));
                }
            }
        });
    }

    @Test
    void thePoliciesOfANamespaceHaveFiveHundredLinesTogetherAndOtherNamespacesAndClusterPoliciesTheirOwn() {
        assertThat(linesOf(50, name -> PolicyId.namespaced("shop", name))).hasSize(500);
        assertThat(linesOf(1, name -> PolicyId.namespaced("other", name))).hasSize(100);
        assertThat(linesOf(6, PolicyId::cluster)).hasSize(600);

        now = now.plusSeconds(2);

        assertThat(linesOf(50, name -> PolicyId.namespaced("shop", name))).hasSize(10);
    }

    @Test
    void deletedAndNewPoliciesGiveATenantNoMoreLines() {
        linesOf(5, name -> PolicyId.namespaced("shop", name));
        log.forget(PolicyId.namespaced("shop", "policy-0"));

        assertThat(linesOf(1, name -> PolicyId.namespaced("shop", name))).isEmpty();
    }

    @Test
    void theSummariesOfANamespaceAreLimitedAndNoneIsLost() {
        linesOf(50, name -> PolicyId.namespaced("shop", name));

        List<ILoggingEvent> first = LoggedLines.of("holdfast", log::sumUp);
        now = now.plusSeconds(75);
        List<ILoggingEvent> rest = LoggedLines.of("holdfast", () -> {
            log.sumUp();
            now = now.plusSeconds(60);
            log.sumUp();
        });

        assertThat(first).hasSize(20);
        assertThat(rest).hasSize(25);
    }

    @Test
    void ofUnknownAcknowledgementsAPolicyHasTenLinesAtOnceAndTheOperatorsNamespaceAll() {
        List<ILoggingEvent> ofPolicy = acknowledgements(Optional.of(Samples.POLICY));
        List<ILoggingEvent> ofOperator = acknowledgements(Optional.empty());

        assertThat(ofPolicy).hasSize(10);
        assertThat(ofOperator).hasSize(50);
        assertThat(LoggedLines.of("holdfast", log::sumUp))
                .singleElement()
                .satisfies(line -> assertThat(line.getKeyValuePairs())
                        .extracting(KeyValuePair::toString)
                        .contains("lines=\"40\""));
    }

    private List<ILoggingEvent> acknowledgements(Optional<PolicyId> policy) {
        return LoggedLines.of("holdfast", () -> {
            for (int i = 0; i < 50; i++) {
                log.log(new UnknownAcknowledgement(policy, "nothing is held under a@" + i));
            }
        });
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
        assertThat(LoggedLines.of("holdfast", () -> log.log(Samples.tooComplex("quiet"))))
                .as("a line of another namespace")
                .hasSize(1);
    }

    @Test
    void ofPodsWithInvalidAnnotationsANamespaceHasAHundredLinesAtOnceAndThenOneInASecond() {
        assertThat(invalidRules(1_001, "noisy")).hasSize(100);
        assertThat(invalidRules(1, "quiet"))
                .singleElement()
                .satisfies(line -> assertThat(line.getKeyValuePairs())
                        .extracting(KeyValuePair::toString)
                        .contains("decision=\"AnnotationIgnored\"", "k8s.namespace.name=\"quiet\""));

        now = now.plusSeconds(2);

        assertThat(invalidRules(150, "noisy")).hasSize(2);
    }

    private List<ILoggingEvent> invalidRules(int pods, String namespace) {
        return LoggedLines.of("holdfast", () -> {
            for (int i = 0; i < pods; i++) {
                log.log(Samples.invalidRules(namespace));
            }
        });
    }
}
