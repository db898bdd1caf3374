package dev.holdfast.operator.app;

import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.loop.LoopState;
import dev.holdfast.operator.loop.ViewStatuses;
import dev.holdfast.operator.publish.Metrics;
import dev.holdfast.operator.publish.OperatorMetrics;
import dev.holdfast.operator.publish.series.NamespaceViolations;
import dev.holdfast.operator.serve.HttpReply;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.rule.PolicyId;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The Prometheus registry behind {@code /metrics}, with the metrics of the operator and of the JVM. */
final class Telemetry implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final InstantSource clock;
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final Metrics metrics;
    private final OperatorMetrics operatorMetrics;

    /** The expected length of the next scrape in bytes. */
    private volatile int size = 1 << 16;

    Telemetry(InstantSource clock) {
        this.clock = clock;
        this.metrics = new Metrics(registry, clock);
        this.operatorMetrics = new OperatorMetrics(registry);
    }

    NamespaceViolations byNamespace(BooleanSupplier leads) {
        return new NamespaceViolations(registry, leads);
    }

    Metrics metrics() {
        return metrics;
    }

    OperatorMetrics operatorMetrics() {
        return operatorMetrics;
    }

    /**
     * Adds the gauges of a running operator.
     *
     * @param loop supplies the current state of the engine's loop
     * @param views supplies the current statuses of the views
     * @param leadingSince since when this replica leads; empty while it does not
     * @param lastHeard gives the instant when the API server last confirmed that a view (the objects of one or more
     *     kinds) is current; before the first confirmation, the instant when the view's feed was created
     */
    void bind(
            Supplier<LoopState> loop,
            Supplier<ViewStatuses> views,
            Supplier<Optional<Instant>> leadingSince,
            Function<View, Optional<Instant>> lastHeard) {
        metrics.build(BuildVersion.get(), Runtime.version().toString());
        metrics.leader(leadingSince);
        metrics.engine(_ -> loop.get().queued(), _ -> seconds(loop.get().stepRunning()));
        for (View view : View.values()) {
            metrics.view(view, it -> views.get().isSynced(it) ? 1 : 0, it -> seconds(quiet(it, lastHeard.apply(it))));
        }
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        gc.bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
    }

    /**
     * {@return the time since the API server last confirmed that the view is current} Up to about 100 s is normal:
     * while no object changes, only a bookmark each minute or a list after 90 s confirms the view.
     */
    private Duration quiet(View view, Optional<Instant> lastHeard) {
        return lastHeard
                .map(at -> Duration.between(at, clock.instant()))
                .orElseThrow(() -> new IllegalStateException("no feed of " + view));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1_000.0;
    }

    /**
     * Updates the metrics and returns the HTTP reply to a scrape. The time series of deleted policies are removed. Only
     * the leader shows the series of policies, so a sum over all replicas counts each pod once.
     */
    HttpReply scrape(Predicate<PolicyId> exists, boolean leads) {
        metrics.refresh(exists);
        operatorMetrics.refresh(ApiClients.requests());
        ByteArrayOutputStream text = new ByteArrayOutputStream(size);
        try {
            registry.scrape(text);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write into memory", e);
        }
        if (leads) {
            metrics.writePolicies(text);
        }
        // The buffer of the next scrape need not grow, which would take the memory of several.
        size = text.size() + text.size() / 8;
        return HttpReply.metrics(text.toByteArray());
    }

    /** Stops to listen to the garbage collector. */
    @Override
    public void close() {
        gc.close();
    }
}
