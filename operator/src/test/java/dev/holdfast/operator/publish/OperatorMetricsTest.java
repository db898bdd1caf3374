package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.api.ApiRequests;
import dev.holdfast.operator.feed.FeedCounts;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.engine.report.EngineActivity;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.rule.Mode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests the metrics of what the operator does for all policies together. */
class OperatorMetricsTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final OperatorMetrics metrics = new OperatorMetrics(registry);

    private List<String> scraped(String prefix) {
        return registry.scrape().lines().filter(line -> line.startsWith(prefix)).toList();
    }

    /** {@return counts of requests, at least one: a request to port 1, where nothing listens} */
    static ApiRequests oneRequest() {
        Config unreachable =
                new ConfigBuilder().withMasterUrl("http://127.0.0.1:1").build();
        try (KubernetesClient client = ApiClients.of(unreachable, Duration.ofSeconds(1))) {
            client.raw("/version");
        } catch (KubernetesClientException _) {
            // Nothing listens.
        }
        return ApiClients.requests();
    }

    @Test
    void whatIsLimitedStandsBesideItsLimit() {
        metrics.activity(
                () -> new EngineActivity(
                        3,
                        4,
                        57,
                        Map.of(Reason.LABEL_BREAKER, 2),
                        1,
                        2,
                        6,
                        Optional.of(Instant.ofEpochSecond(1_700_000_000L)),
                        Map.of(ClockRestart.VIEW_LOST, 12L)),
                OperatorLimits.defaults());

        assertThat(scraped("holdfast_"))
                .contains(
                        "holdfast_evictions_in_flight 3.0",
                        "holdfast_evictions_in_flight_allowed 4.0",
                        "holdfast_evictions_in_flight_limit 10.0",
                        "holdfast_evictions_in_hour 57.0",
                        "holdfast_evictions_in_hour_limit 120.0",
                        "holdfast_pauses_active 1.0",
                        "holdfast_pods_too_complex 2.0",
                        "holdfast_nodes_too_complex 6.0",
                        "holdfast_last_plan_timestamp_seconds 1.7E9");
        assertThat(scraped("holdfast_breaker_open"))
                .containsExactlyInAnyOrder(
                        "holdfast_breaker_open{breaker=\"LabelBreaker\"} 2.0",
                        "holdfast_breaker_open{breaker=\"VolumeBreaker\"} 0.0",
                        "holdfast_breaker_open{breaker=\"OutcomeBreaker\"} 0.0");
        assertThat(scraped("holdfast_clock_restarts"))
                .containsExactlyInAnyOrder(
                        "holdfast_clock_restarts_total{cause=\"AnnotationRemoved\"} 0.0",
                        "holdfast_clock_restarts_total{cause=\"CeilingRaised\"} 0.0",
                        "holdfast_clock_restarts_total{cause=\"LeadershipGained\"} 0.0",
                        "holdfast_clock_restarts_total{cause=\"LeadershipGap\"} 0.0",
                        "holdfast_clock_restarts_total{cause=\"OperatorAway\"} 0.0",
                        "holdfast_clock_restarts_total{cause=\"PolicyWidened\"} 0.0",
                        "holdfast_clock_restarts_total{cause=\"ViewLost\"} 12.0");
    }

    @Test
    void beforeTheFirstPlanItsTimeIsUnknown() {
        metrics.activity(() -> EngineActivity.NONE, OperatorLimits.defaults());

        assertThat(scraped("holdfast_last_plan")).containsExactly("holdfast_last_plan_timestamp_seconds NaN");
    }

    @Test
    void theLastWriteOfTheLedgerHasATime() {
        metrics.ledger(() -> Optional.of(Instant.ofEpochSecond(1_700_000_000)));

        assertThat(scraped("holdfast_ledger")).containsExactly("holdfast_ledger_last_write_timestamp_seconds 1.7E9");
    }

    @Test
    void theCeilingIsTheModeThatPoliciesMayHaveNow() {
        metrics.capped(Mode.ENFORCE);
        metrics.capped(Mode.AUDIT);

        assertThat(scraped("holdfast_mode_ceiling"))
                .containsExactlyInAnyOrder(
                        "holdfast_mode_ceiling{mode=\"Disabled\"} 0.0",
                        "holdfast_mode_ceiling{mode=\"Audit\"} 1.0",
                        "holdfast_mode_ceiling{mode=\"Enforce\"} 0.0");
    }

    @Test
    void changesOfLeadershipAreCountedFromNoneOn() {
        assertThat(scraped("holdfast_leadership")).containsExactly("holdfast_leadership_changes_total 0.0");

        metrics.leadershipChanged();

        assertThat(scraped("holdfast_leadership")).containsExactly("holdfast_leadership_changes_total 1.0");
    }

    @Test
    void listsAndWatchesAreCountedByKind() {
        metrics.feeds(() -> Map.of("pods", new FeedCounts(2, 5)));

        assertThat(scraped("holdfast_"))
                .contains("holdfast_lists_total{kind=\"pods\"} 2.0", "holdfast_watches_total{kind=\"pods\"} 5.0");
    }

    @Test
    void countersGoOnAfterAGarbageCollection() {
        AtomicLong lists = new AtomicLong(2);
        WeakReference<Object> collected = new WeakReference<>(new Object());
        metrics.feeds(() -> Map.of("pods", new FeedCounts(lists.get(), 5)));
        metrics.activity(
                () -> new EngineActivity(
                        0, 0, 0, Map.of(), 0, 0, 0, Optional.empty(), Map.of(ClockRestart.VIEW_LOST, lists.get())),
                OperatorLimits.defaults());

        while (collected.get() != null) {
            System.gc();
        }
        lists.set(3);

        assertThat(scraped("holdfast_"))
                .contains(
                        "holdfast_lists_total{kind=\"pods\"} 3.0",
                        "holdfast_clock_restarts_total{cause=\"ViewLost\"} 3.0");
    }

    @Test
    void requestsAreCountedByVerbAndCode() {
        metrics.refresh(oneRequest());
        double before = failedGets();

        metrics.refresh(oneRequest());

        assertThat(failedGets()).isGreaterThan(before);
    }

    /** Micrometer warns when a meter is registered again. */
    @Test
    void eachKindOfRequestIsRegisteredOnce() {
        ApiRequests requests = oneRequest();

        assertThat(LoggedLines.of("io.micrometer", () -> {
                    metrics.refresh(requests);
                    metrics.refresh(requests);
                }))
                .isEmpty();
    }

    private double failedGets() {
        return scraped("holdfast_api_requests_total{code=\"none\",verb=\"get\"}").stream()
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    @Test
    void everyMetricSaysWhatItIs() {
        metrics.activity(() -> EngineActivity.NONE, OperatorLimits.defaults());
        metrics.feeds(() -> Map.of("pods", FeedCounts.NONE));
        metrics.refresh(oneRequest());

        assertThat(scraped("# HELP holdfast_"))
                .hasSameSizeAs(scraped("# TYPE holdfast_"))
                .allMatch(it -> it.endsWith("."));
    }
}
