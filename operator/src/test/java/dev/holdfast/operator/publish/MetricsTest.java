package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.Notification.End;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.PolicyId;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests which metrics a scrape shows, with which values. */
class MetricsTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private Instant now = Samples.SINCE.plus(Duration.ofSeconds(602));
    private final Metrics metrics = new Metrics(registry, () -> now);

    private String scrape() {
        metrics.refresh(_ -> true);
        return PublishedWords.scrape(registry, metrics);
    }

    private List<String> scraped(String prefix) {
        return scrape().lines().filter(line -> line.startsWith(prefix)).toList();
    }

    /** {@return the scraped lines whose value is not 0} */
    private List<String> counted(String prefix) {
        return scraped(prefix).stream().filter(line -> !line.endsWith(" 0.0")).toList();
    }

    @Test
    void aReportBecomesGaugesOfThePolicy() {
        metrics.publish(Samples.report(Samples.POLICY));

        assertThat(scraped("holdfast_violations{"))
                .containsExactlyInAnyOrder(
                        "holdfast_violations{policy=\"shop/web\",policy_namespace=\"shop\",rule=\"ssd\",state=\"Forgiving\"}"
                            + " 1.0",
                        "holdfast_violations{policy=\"shop/web\",policy_namespace=\"shop\",rule=\"ssd\",state=\"Held\"}"
                                + " 1.0",
                        "holdfast_violations{policy=\"shop/web\",policy_namespace=\"shop\",rule=\"ssd\",state=\"Evicting\"}"
                            + " 1.0");
        assertThat(scraped("holdfast_held_violations"))
                .containsExactly("holdfast_held_violations{policy=\"shop/web\",reason=\"DisruptionBudget\"} 1.0");
        assertThat(scraped("holdfast_policy_mode"))
                .containsExactlyInAnyOrder(
                        "holdfast_policy_mode{mode=\"Disabled\",policy=\"shop/web\"} 0.0",
                        "holdfast_policy_mode{mode=\"Audit\",policy=\"shop/web\"} 0.0",
                        "holdfast_policy_mode{mode=\"Enforce\",policy=\"shop/web\"} 1.0");
    }

    @Test
    void futileMovesAreCountedFromNoneOn() {
        metrics.publish(Samples.report(Samples.POLICY));

        assertThat(scraped("holdfast_evictions_futile"))
                .containsExactly("holdfast_evictions_futile_total{policy=\"shop/web\"} 0.0");
    }

    @Test
    void theOldestViolationAgesBetweenReports() {
        metrics.publish(Samples.report(Samples.POLICY));
        now = now.plus(Duration.ofSeconds(1));

        assertThat(scraped("holdfast_violation_oldest_seconds"))
                .containsExactly("holdfast_violation_oldest_seconds{policy=\"shop/web\"} 603.0");
    }

    @Test
    void occurrencesAreCounted() {
        metrics.count(new Notification.Started(Samples.violation()));
        metrics.count(new Notification.Ended(Samples.violation(), End.HEALED));
        metrics.count(new Notification.Answered(Samples.violation(), "p1", new EvictionAnswer.Evicted()));
        metrics.count(new Notification.Answered(
                Samples.violation(), "p2", new EvictionAnswer.OutOfBudget("none left", Optional.empty())));
        metrics.count(new Notification.Moved(Samples.violation(), "p1", Outcome.BROKEN_AGAIN, Optional.empty(), now));
        metrics.count(new Notification.Moved(Samples.violation(), "p3", Outcome.NOT_READY, Optional.empty(), now));
        metrics.count(new Notification.Moved(Samples.violation(), "p2", Outcome.MOVED, Optional.empty(), now));

        assertThat(counted("holdfast_violations_"))
                .containsExactlyInAnyOrder(
                        "holdfast_violations_started_total{policy=\"shop/web\",rule=\"ssd\"} 1.0",
                        "holdfast_violations_ended_total{how=\"healed\",policy=\"shop/web\"} 1.0");
        assertThat(counted("holdfast_violation_causes"))
                .containsExactly("holdfast_violation_causes_total{cause=\"NodeLabelChanged\"} 1.0");
        assertThat(counted("holdfast_evictions_"))
                .containsExactlyInAnyOrder(
                        "holdfast_evictions_total{outcome=\"Evicted\",policy=\"shop/web\",policy_namespace=\"shop\"}"
                                + " 1.0",
                        "holdfast_evictions_total{outcome=\"DisruptionBudget\",policy=\"shop/web\","
                                + "policy_namespace=\"shop\"} 1.0",
                        "holdfast_evictions_futile_total{policy=\"shop/web\"} 2.0");
        assertThat(scraped("holdfast_violation_duration_seconds_sum"))
                .containsExactly("holdfast_violation_duration_seconds_sum{policy=\"shop/web\"} 602.0");
    }

    @Test
    void timesAreMeasuredFromDueToTheRequestAndFromTheEvictionToReady() {
        ViolationReport violation = Samples.violation();
        now = violation.deadline().plusSeconds(7);
        metrics.count(new Notification.Evicting(violation, "p1", Optional.empty()));
        metrics.count(new Notification.Moved(violation, "p1", Outcome.MOVED, Optional.empty(), now.minusSeconds(42)));
        metrics.count(new Notification.Moved(violation, "p2", Outcome.NOT_READY, Optional.empty(), now));

        assertThat(scraped("holdfast_eviction_delay_seconds_"))
                .contains("holdfast_eviction_delay_seconds_sum 7.0", "holdfast_eviction_delay_seconds_count 1");
        assertThat(scraped("holdfast_replacement_ready_seconds_"))
                .contains("holdfast_replacement_ready_seconds_sum 42.0", "holdfast_replacement_ready_seconds_count 1");
    }

    @Test
    void everyCounterOfAPolicyIsThereAsZeroFromItsFirstReportOn() {
        metrics.publish(Samples.report(Samples.POLICY));

        assertThat(scraped("holdfast_violations_started"))
                .containsExactlyInAnyOrder(
                        "holdfast_violations_started_total{policy=\"shop/web\",rule=\"NodeAffinity\"} 0.0",
                        "holdfast_violations_started_total{policy=\"shop/web\",rule=\"ssd\"} 0.0");
        assertThat(scraped("holdfast_violations_ended")).hasSize(End.values().length);
        assertThat(scraped("holdfast_evictions_total")).hasSize(EvictionAnswerLabel.ALL.size());
        assertThat(scraped("holdfast_evictions_futile")).hasSize(1);
        assertThat(scraped("holdfast_violation_duration_seconds_count"))
                .containsExactly("holdfast_violation_duration_seconds_count{policy=\"shop/web\"} 0");
    }

    @Test
    void theSeriesOfARuleGoWithTheRule() {
        metrics.publish(Samples.report(Samples.POLICY));
        metrics.count(new Notification.Started(Samples.violation()));
        assertThat(scraped("holdfast_violations_started")).hasSize(2);

        metrics.publish(Samples.without("ssd", Samples.report(Samples.POLICY)));

        assertThat(scraped("holdfast_violations_started"))
                .containsExactly("holdfast_violations_started_total{policy=\"shop/web\",rule=\"NodeAffinity\"} 0.0");
        assertThat(scrape()).doesNotContain("rule=\"ssd\"");
    }

    @Test
    void everyMetricSaysWhatItIs() {
        metrics.publish(Samples.report(Samples.POLICY));
        metrics.ready(Samples.POLICY, Metrics.Readiness.READY);
        metrics.build("1.2.3", "25");
        metrics.leader(() -> Optional.of(Instant.ofEpochSecond(1_700_000_000L)));
        metrics.view(View.PODS, _ -> 1, _ -> 1.5);
        metrics.engine(_ -> 7, _ -> 0.25);
        metrics.clock(() -> OptionalDouble.of(-7.5));

        assertThat(scraped("# HELP holdfast_")).isNotEmpty().allMatch(line -> line.endsWith("."));
        assertThat(scraped("# HELP holdfast_")).hasSameSizeAs(scraped("# TYPE holdfast_"));
    }

    @Test
    void theSeriesOfAPolicyGoWithItAndLeaveOthersAlone() {
        PolicyId other = PolicyId.cluster("audit");
        metrics.publish(Samples.report(other));
        metrics.ready(other, Metrics.Readiness.READY);
        metrics.publish(Samples.report(Samples.POLICY));
        metrics.ready(Samples.POLICY, Metrics.Readiness.NOT_READY);
        metrics.count(new Notification.Started(Samples.violation()));
        assertThat(scrape())
                .contains("holdfast_policy_ready{policy=\"audit\"} 1.0")
                .contains("holdfast_policy_ready{policy=\"shop/web\"} 0.0");

        metrics.forget(Samples.POLICY);

        assertThat(scrape()).doesNotContain("shop/web");
        assertThat(scraped("holdfast_policy_ready")).containsExactly("holdfast_policy_ready{policy=\"audit\"} 1.0");
        assertThat(scraped("holdfast_violations{")).hasSize(3);
        assertThat(scraped("holdfast_policy_mode")).hasSize(3);
    }

    @Test
    void whatComesInLateOfAPolicyThatIsGoneGoesWithTheNextScrape() {
        PolicyId other = PolicyId.cluster("audit");
        metrics.ready(other, Metrics.Readiness.READY);
        metrics.forget(Samples.POLICY);
        metrics.publish(Samples.report(Samples.POLICY));
        metrics.ready(Samples.POLICY, Metrics.Readiness.READY);
        metrics.count(new Notification.Started(Samples.violation()));
        scrape();

        metrics.refresh(other::equals);

        assertThat(PublishedWords.scrape(registry, metrics))
                .doesNotContain("shop/web")
                .contains("holdfast_policy_ready{policy=\"audit\"} 1.0");
    }

    @Test
    void aPolicyThatComesBackIsMeasuredAgain() {
        metrics.publish(Samples.report(Samples.POLICY));
        metrics.forget(Samples.POLICY);
        metrics.publish(Samples.report(Samples.POLICY));

        assertThat(scraped("holdfast_violations{")).hasSize(3);
    }

    /** A meter per series would cost half a kilobyte, and a scrape of meters would copy all of them. */
    @Test
    void policiesAreNoMetersAndAScrapeLooksThroughNone() {
        AtomicInteger looks = new AtomicInteger();
        PrometheusMeterRegistry counting = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT) {
            @Override
            public List<Meter> getMeters() {
                looks.incrementAndGet();
                return super.getMeters();
            }
        };
        List<String> changes = new ArrayList<>();
        Metrics many = new Metrics(counting, () -> now);
        counting.config().onMeterAdded(meter -> changes.add("added " + meter.getId()));
        counting.config().onMeterRemoved(meter -> changes.add("removed " + meter.getId()));

        for (int i = 0; i < 100; i++) {
            many.publish(Samples.report(PolicyId.cluster("audit-" + i)));
            many.ready(PolicyId.cluster("audit-" + i), Metrics.Readiness.READY);
        }
        many.refresh(_ -> true);
        String scraped = PublishedWords.scrape(counting, many);
        many.forget(PolicyId.cluster("audit-7"));

        assertThat(scraped.lines().filter(line -> line.startsWith("holdfast_policy_ready{")))
                .hasSize(100);
        assertThat(changes).isEmpty();
        assertThat(looks).hasValue(0);
    }

    @Test
    void aRuleThatBrokeBeforeTheFirstReportWithItKeepsItsCount() {
        metrics.publish(Samples.without("ssd", Samples.report(Samples.POLICY)));
        metrics.count(new Notification.Started(Samples.violation()));
        metrics.publish(Samples.without("ssd", Samples.report(Samples.POLICY)));
        scrape();
        metrics.publish(Samples.report(Samples.POLICY));

        assertThat(scraped("holdfast_violations_started_total{policy=\"shop/web\",rule=\"ssd\"}"))
                .containsExactly("holdfast_violations_started_total{policy=\"shop/web\",rule=\"ssd\"} 1.0");
    }

    @Test
    void evictionsOfAClusterPolicyAreOneSeriesHoweverManyNamespacesThereAre() {
        ViolationReport shop = Samples.violation();
        metrics.count(
                new Notification.Answered(of(PolicyId.cluster("audit"), shop), "p1", new EvictionAnswer.Evicted()));

        assertThat(counted("holdfast_evictions_total"))
                .containsExactly(
                        "holdfast_evictions_total{outcome=\"Evicted\",policy=\"audit\",policy_namespace=\"\"} 1.0");
    }

    private static ViolationReport of(PolicyId policy, ViolationReport it) {
        return Samples.with(it.victim(), policy, it);
    }

    @Test
    void theOperatorItselfIsMeasured() {
        metrics.build("1.2.3", "25");
        metrics.leader(() -> Optional.of(Instant.ofEpochSecond(1_700_000_000L)));
        metrics.view(View.PODS, _ -> 1, _ -> 1.5);
        metrics.engine(_ -> 7, _ -> 0.25);
        metrics.clock(() -> OptionalDouble.of(-7.5));
        metrics.event(EventWriteResult.DROPPED);
        metrics.compared(new Effect.Compared(3, Optional.empty()));
        metrics.compared(new Effect.Compared(4, Optional.of("pod shop/web-1")));

        assertThat(scraped("holdfast_"))
                .filteredOn(line -> !line.startsWith("holdfast_violation_causes"))
                .filteredOn(line -> !line.matches("holdfast_(eviction_delay|replacement_ready)_seconds.*"))
                .containsExactlyInAnyOrder(
                        "holdfast_build_info{java=\"25\",version=\"1.2.3\"} 1",
                        "holdfast_leader 1.0",
                        "holdfast_leader_since_timestamp_seconds 1.7E9",
                        "holdfast_cache_synced{view=\"pods\"} 1.0",
                        "holdfast_cache_quiet_seconds{view=\"pods\"} 1.5",
                        "holdfast_clock_ahead_seconds -7.5",
                        "holdfast_engine_queue 7.0",
                        "holdfast_engine_step_seconds 0.25",
                        "holdfast_verdicts_compared_total 7.0",
                        "holdfast_verdicts_differ 1.0",
                        "holdfast_kubernetes_events_total{fate=\"Written\"} 0.0",
                        "holdfast_kubernetes_events_total{fate=\"LeftOut\"} 0.0",
                        "holdfast_kubernetes_events_total{fate=\"Failed\"} 0.0",
                        "holdfast_kubernetes_events_total{fate=\"Dropped\"} 1.0");
    }

    @Test
    void noPodIsNamed() {
        metrics.publish(Samples.report(Samples.POLICY));
        metrics.count(new Notification.Started(Samples.violation()));

        assertThat(scrape()).doesNotContain("web-1").doesNotContain("node-12");
    }
}
