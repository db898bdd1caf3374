package dev.holdfast.operator.publish;

import dev.holdfast.operator.api.ApiRequests;
import dev.holdfast.operator.feed.FeedCounts;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.engine.report.EngineActivity;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.rule.Mode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The Prometheus metrics of what the operator does for all policies together: evictions beside their limits, plans,
 * pauses, the mode ceiling, leadership, and requests to the API server. The values are read at each scrape.
 */
public final class OperatorMetrics {
    private final MeterRegistry registry;
    private final Counter leaderships;
    private final Set<ApiRequests.Kind> registered = ConcurrentHashMap.newKeySet();
    private volatile Optional<Mode> ceiling = Optional.empty();

    /** Creates the metrics that need no other part of the operator. */
    public OperatorMetrics(MeterRegistry registry) {
        this.registry = registry;
        leaderships = Counter.builder("holdfast_leadership_changes")
                .description("How often this replica became the leader or ceased to be.")
                .register(registry);
        for (Mode mode : Mode.values()) {
            Gauge.builder(
                            "holdfast_mode_ceiling",
                            () -> ceiling.filter(mode::equals).isPresent() ? 1 : 0)
                    .description("1 for the mode ceiling in force, from maxMode and the operator's rights.")
                    .tag("mode", mode.label())
                    .register(registry);
        }
    }

    /** Registers the metrics of the engine's activity, each limit beside what it limits. */
    public void activity(Supplier<EngineActivity> activity, OperatorLimits limits) {
        gauge(
                "holdfast_evictions_in_flight",
                "Evictions whose replacement is not Ready yet.",
                activity,
                now -> now.inFlight());
        gauge(
                "holdfast_evictions_in_flight_allowed",
                "How many evictions may be in flight, by the limit and the slow start.",
                activity,
                now -> now.allowedInFlight());
        gauge(
                "holdfast_evictions_in_flight_limit",
                "The limit on evictions in flight.",
                activity,
                _ -> limits.cluster());
        gauge("holdfast_evictions_in_hour", "Evictions within the last hour.", activity, now -> now.evictionsInHour());
        gauge(
                "holdfast_evictions_in_hour_limit",
                "The limit on evictions within an hour.",
                activity,
                _ -> limits.perHour());
        gauge(
                "holdfast_pods_too_complex",
                "Pods with more labels, rules or other parts than Holdfast reads.",
                activity,
                now -> now.tooComplex());
        gauge(
                "holdfast_nodes_too_complex",
                "Nodes with more labels, taints or other parts than Holdfast reads.",
                activity,
                now -> now.nodesTooComplex());
        gauge("holdfast_pauses_active", "EnforcementPauses that apply now.", activity, now -> now.pauses());
        gauge(
                "holdfast_last_plan_timestamp_seconds",
                "When the last plan was made, in seconds since 1970; NaN before the first one.",
                activity,
                now -> now.lastPlan().map(OperatorMetrics::seconds).orElse(Double.NaN));
        for (Reason breaker : BreakerReport.BREAKERS) {
            Gauge.builder(
                            "holdfast_breaker_open",
                            () -> activity.get().openBreakers().getOrDefault(breaker, 0))
                    .description("How many breakers of this kind are open, each of which holds evictions.")
                    .tag("breaker", breaker.label())
                    .register(registry);
        }
        for (ClockRestart cause : ClockRestart.values()) {
            counter(
                            "holdfast_clock_restarts",
                            () -> activity.get().clockRestarts().getOrDefault(cause, 0L))
                    .description("How often the forgiveness of a violation started again, by cause.")
                    .tag("cause", cause.label())
                    .register(registry);
        }
    }

    private void gauge(
            String name,
            String description,
            Supplier<EngineActivity> activity,
            ToDoubleFunction<EngineActivity> value) {
        Gauge.builder(name, () -> value.applyAsDouble(activity.get()))
                .description(description)
                .register(registry);
    }

    /**
     * Begins a counter that reads its value at each scrape. Micrometer holds the object of a counter weakly, so the
     * counter would stop when only the counter refers to it. The registry lives as long as its counters.
     */
    private FunctionCounter.Builder<MeterRegistry> counter(String name, DoubleSupplier value) {
        return FunctionCounter.builder(name, registry, _ -> value.getAsDouble());
    }

    private static double seconds(Instant instant) {
        return instant.toEpochMilli() / 1_000.0;
    }

    /** Registers the time of the last write of the ledger. */
    public void ledger(Supplier<Optional<Instant>> lastWrite) {
        Gauge.builder(
                        "holdfast_ledger_last_write_timestamp_seconds",
                        () -> lastWrite.get().map(OperatorMetrics::seconds).orElse(Double.NaN))
                .description(
                        "When this process last wrote a part of the ledger, in seconds since 1970; NaN before that.")
                .register(registry);
    }

    /** Registers the counters of the feeds, which list and watch one kind each. */
    public void feeds(Supplier<Map<String, FeedCounts>> counts) {
        counts.get().keySet().forEach(kind -> {
            feed(
                    "holdfast_lists",
                    "Lists of all objects of a kind; the first is the initial one.",
                    kind,
                    counts,
                    FeedCounts::lists);
            feed("holdfast_watches", "Watches opened.", kind, counts, FeedCounts::watches);
        });
    }

    private void feed(
            String name,
            String description,
            String kind,
            Supplier<Map<String, FeedCounts>> counts,
            ToDoubleFunction<FeedCounts> value) {
        counter(name, () -> value.applyAsDouble(counts.get().getOrDefault(kind, FeedCounts.NONE)))
                .description(description)
                .tag("kind", kind)
                .register(registry);
    }

    /** Records that this replica became the leader, or ceased to be. */
    public void leadershipChanged() {
        leaderships.increment();
    }

    /** Records the strongest mode that policies may have now. */
    public void capped(Mode strongest) {
        ceiling = Optional.of(strongest);
    }

    /** Registers the counters of new kinds of requests to the API server. Must be called before each scrape. */
    public void refresh(ApiRequests requests) {
        requests.counts().keySet().stream()
                .filter(registered::add)
                .forEach(kind -> counter(
                                "holdfast_api_requests", () -> requests.counts().getOrDefault(kind, 0L))
                        .description("Requests to the API server, by verb and status code.")
                        .tags("verb", kind.verb(), "code", kind.code())
                        .register(registry));
    }
}
