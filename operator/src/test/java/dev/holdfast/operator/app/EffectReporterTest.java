package dev.holdfast.operator.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.operator.publish.EventRecorder;
import dev.holdfast.operator.publish.Metrics;
import dev.holdfast.operator.publish.PublishedWords;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.operator.publish.series.NamespaceViolations;
import dev.holdfast.operator.reconcile.PolicyReports;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Which of the engine's reports {@link EffectReporter} writes to metrics and logs. */
class EffectReporterTest {
    private static final Notification EVICTED =
            new Notification.Answered(Samples.violation(), "p1", new EvictionAnswer.Evicted());

    private final Logger audit = (Logger) LoggerFactory.getLogger("audit");
    private final Logger log = (Logger) LoggerFactory.getLogger("holdfast");
    private final ListAppender<ILoggingEvent> audited = new ListAppender<>();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private boolean leads = true;
    private String uid = "";
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Metrics metrics = new Metrics(registry, () -> Samples.SINCE);
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(Config.empty()).build();

    @BeforeEach
    void listen() {
        audit.setLevel(Level.INFO);
        audit.setAdditive(false);
        audited.start();
        audit.addAppender(audited);
        logged.start();
        log.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        audit.detachAppender(audited);
        log.detachAppender(logged);
        client.close();
    }

    /** {@return a reporter to which policies with the present UID exist, if {@code exists} says so} */
    private EffectReporter reporter(Predicate<PolicyId> exists) {
        EventRecorder eventRecorder = EventRecorder.of(
                client,
                _ -> Optional.empty(),
                _ -> Optional.empty(),
                () -> false,
                () -> Samples.SINCE,
                metrics::event,
                (_, _) -> {});
        return new EffectReporter(
                (policy, action) -> exists.test(policy) && action.test(uid),
                () -> leads,
                metrics,
                eventRecorder,
                new PolicyReports(),
                "holdfast",
                Optional.of(new NamespaceViolations(registry, () -> leads)),
                () -> Samples.SINCE);
    }

    private List<String> evictions() {
        return PublishedWords.policies(metrics)
                .lines()
                .filter(line -> line.startsWith("holdfast_evictions_total") && !line.endsWith(" 0.0"))
                .toList();
    }

    private long errors() {
        return logged.list.stream().filter(it -> it.getLevel() == Level.ERROR).count();
    }

    @Test
    void anEvictionIsCountedAndAudited() {
        reporter(_ -> true).report(EVICTED);

        assertThat(evictions())
                .containsExactly("holdfast_evictions_total{outcome=\"Evicted\",policy=\"shop/web\","
                        + "policy_namespace=\"shop\"} 1.0");
        assertThat(audited.list).hasSize(1);
    }

    private Optional<Double> violationsOf(String namespace) {
        return Optional.ofNullable(registry.find("holdfast_violations_by_namespace")
                        .tag("pod_namespace", namespace)
                        .gauge())
                .map(Gauge::value);
    }

    @Test
    void aNamespaceHasATimeSeriesWhilePodsOfItViolateARule() {
        EffectReporter reporter = reporter(_ -> false);
        assertThat(violationsOf("shop")).isEmpty();

        reporter.report(new Notification.Started(Samples.violation()));
        reporter.report(new Notification.Started(Samples.violation()));
        reporter.report(EVICTED);
        assertThat(violationsOf("shop")).contains(2.0);
        leads = false;
        assertThat(violationsOf("shop")).contains(0.0);
        leads = true;

        reporter.report(new Notification.Ended(Samples.violation(), Notification.End.HEALED));
        assertThat(violationsOf("shop")).contains(1.0);

        reporter.report(new Notification.Ended(Samples.violation(), Notification.End.POD_GONE));
        assertThat(violationsOf("shop")).isEmpty();
    }

    @Test
    void anEvictionOfADeletedPolicyIsAuditedAndNotCounted() {
        reporter(_ -> false).report(EVICTED);

        assertThat(evictions()).isEmpty();
        assertThat(audited.list).hasSize(1);
    }

    @Test
    void aReportOnADeletedPolicyIsNotTakenForOneOnTheNextPolicyOfThatName() {
        EffectReporter reporter = reporter(_ -> true);
        PolicyReport late = Samples.report(Samples.POLICY);
        uid = "uid of the next policy";
        reporter.publish(late);
        assertThat(PublishedWords.policies(metrics)).doesNotContain("shop/web");

        uid = late.uid();
        reporter.publish(late);
        assertThat(PublishedWords.policies(metrics)).contains("shop/web");
    }

    @Test
    void anExceptionInOneReportIsLoggedAndStopsNoOther() {
        reporter(_ -> {
                    throw new IllegalStateException("no");
                })
                .report(EVICTED);

        assertThat(errors()).isEqualTo(1);
        assertThat(audited.list).hasSize(1);
    }

    @Test
    void whatWasLeftOutOfTheLogIsCountedThoughNoOtherLineFollows() {
        try (EffectReporter reporter = reporter(_ -> true)) {
            reporter.start((_, death) -> {
                throw new AssertionError(death);
            });
            for (int i = 0; i < 150; i++) {
                reporter.report(new Notification.Started(Samples.violation()));
            }

            await("a line counts what was left out")
                    .until(() -> new ArrayList<>(logged.list)
                            .stream()
                                    .anyMatch(line -> line.getFormattedMessage().contains("left out")));
        }
    }

    @Test
    void aWrongVerdictIsLoggedOnce() {
        EffectReporter reporter = reporter(_ -> true);

        reporter.compared(new Effect.Compared(1, Optional.empty()));
        assertThat(errors()).isZero();

        reporter.compared(new Effect.Compared(1, Optional.of("pod shop/web-1")));
        reporter.compared(new Effect.Compared(1, Optional.of("pod shop/web-1")));
        assertThat(errors()).isEqualTo(1);
    }
}
