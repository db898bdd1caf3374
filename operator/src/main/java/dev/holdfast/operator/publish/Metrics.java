package dev.holdfast.operator.publish;

import dev.holdfast.operator.publish.series.MetricsText;
import dev.holdfast.operator.publish.series.PolicySeries;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.PolicyId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The operator's Prometheus metrics. Label values are names of policies and rules, and words from fixed sets; they are
 * never names of pods or nodes. The series of a deleted policy are removed.
 */
public final class Metrics {
    private final MeterRegistry registry;
    private final InstantSource clock;

    private final PolicySeries policies;
    private final ViolationCounters counters;
    private final Map<EventWriteResult, Counter> events = new EnumMap<>(EventWriteResult.class);
    private final Counter comparedVerdicts;
    private volatile boolean differing;

    /** Creates the metrics and registers their meters; the clock measures the age of violations. */
    public Metrics(MeterRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
        policies = new PolicySeries(EvictionAnswerLabel.ALL, registry.config().clock());
        counters = new ViolationCounters(registry, policies, clock);
        comparedVerdicts = Counter.builder("holdfast_verdicts_compared")
                .description("Verdicts that a cross-check evaluated a second time.")
                .register(registry);
        for (EventWriteResult fate : EventWriteResult.values()) {
            events.put(
                    fate,
                    Counter.builder("holdfast_kubernetes_events")
                            .description("Kubernetes events, by whether they were written.")
                            .tag("fate", fate.label())
                            .register(registry));
        }
        Gauge.builder("holdfast_verdicts_differ", () -> differing ? 1 : 0)
                .description(
                        "1 after a check of the operator against itself failed, which stops all evictions, else 0.")
                .register(registry);
    }

    /** Registers the metric {@code holdfast_build_info}, with the versions of the operator and of Java as labels. */
    public void build(String version, String java) {
        // The name has dots: the registry recognizes an info metric by the suffix ".info", and would cut off "_info".
        Gauge.builder("holdfast.build.info", () -> 1)
                .description("1, with the version of the operator and of Java as labels.")
                .tags("version", version, "java", java)
                .register(registry);
    }

    /**
     * Registers the gauges that show whether this replica leads; they are read at each scrape.
     *
     * @param since since when this replica leads; empty while another one leads
     */
    public void leader(Supplier<Optional<Instant>> since) {
        Gauge.builder("holdfast_leader", () -> since.get().isPresent() ? 1 : 0)
                .description("1 while this replica holds the lease and may act, else 0.")
                .register(registry);
        Gauge.builder(
                        "holdfast_leader_since_timestamp_seconds",
                        () -> since.get()
                                .map(it -> (double) it.getEpochSecond())
                                .orElse(Double.NaN))
                .description("When this replica acquired the lease, in seconds since 1970; NaN while it does not lead.")
                .register(registry);
    }

    /**
     * Registers the gauges of a view; they are read at each scrape.
     *
     * @param synced 1 while the view is synced, else 0
     * @param quietSeconds seconds since the API server last sent something for the view
     */
    public void view(View view, ToDoubleFunction<View> synced, ToDoubleFunction<View> quietSeconds) {
        String name = label(view);
        Gauge.builder("holdfast_cache_synced", () -> synced.applyAsDouble(view))
                .description("1 while the view is complete and current, else 0.")
                .tag("view", name)
                .register(registry);
        Gauge.builder("holdfast_cache_quiet_seconds", () -> quietSeconds.applyAsDouble(view))
                .description("Seconds since the API server last sent something for this view.")
                .tag("view", name)
                .register(registry);
    }

    /**
     * Registers the gauges of the engine; they are read at each scrape.
     *
     * @param queued number of events in the engine's queue
     * @param stepSeconds seconds for which the engine has been processing the current event; 0 between events
     */
    public void engine(ToDoubleFunction<Metrics> queued, ToDoubleFunction<Metrics> stepSeconds) {
        Gauge.builder("holdfast_engine_queue", this, queued)
                .description("Events in the engine's queue.")
                .register(registry);
        Gauge.builder("holdfast_engine_step_seconds", this, stepSeconds)
                .description("How long the current event has taken so far; 0 between events.")
                .register(registry);
    }

    /**
     * Registers the gauge of the clock comparison; it is read at each scrape.
     *
     * @param aheadSeconds seconds by which the wall clock was ahead of the API server's clock at the last comparison;
     *     empty before the first one
     */
    public void clock(Supplier<OptionalDouble> aheadSeconds) {
        Gauge.builder("holdfast_clock_ahead_seconds", () -> aheadSeconds.get().orElse(Double.NaN))
                .description("Seconds by which this machine's clock is ahead of the API server's; NaN if unknown.")
                .register(registry);
    }

    /** Counts a notification about a violation that started or ended, an eviction or a move. */
    public void count(Notification notification) {
        counters.count(notification);
    }

    /**
     * Counts the verdicts that a cross-check (a second evaluation of the same rules) compared, and records whether any
     * verdict was found wrong.
     */
    public void compared(Effect.Compared compared) {
        comparedVerdicts.increment(compared.verdicts());
        differing = compared.difference().isPresent();
    }

    /** Counts the result of writing a Kubernetes event. */
    public void event(EventWriteResult fate) {
        Objects.requireNonNull(events.get(fate), "a counter").increment();
    }

    /** Stores the current report of a policy; the next scrape shows it. */
    public void publish(PolicyReport report) {
        policies.report(report);
    }

    /** Stores whether a policy is valid and evaluated; the next scrape shows it. */
    public void ready(PolicyId policy, Readiness state) {
        policies.ready(policy, state == Readiness.READY);
    }

    /** Whether the condition Ready of a policy is True: the policy is valid and evaluated. */
    public enum Readiness {
        READY,
        NOT_READY
    }

    /** Removes all series of a deleted policy. Waits for no scrape. */
    public void forget(PolicyId policy) {
        policies.forget(policy);
    }

    /**
     * Removes the series of policies that no longer exist. Must be called before each scrape, because a late report may
     * follow the deletion.
     *
     * @param exists whether a policy exists
     */
    public void refresh(Predicate<PolicyId> exists) {
        policies.keepOnly(exists);
    }

    /** Writes the metrics of all policies in the Prometheus text format. The registry has all other metrics. */
    public void writePolicies(ByteArrayOutputStream out) {
        policies.write(new MetricsText(out), clock.instant());
    }

    private static String label(View view) {
        return view.name().toLowerCase(Locale.ROOT);
    }
}
