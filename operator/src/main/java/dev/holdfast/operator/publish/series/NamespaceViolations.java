package dev.holdfast.operator.publish.series;

import dev.holdfast.policies.engine.report.Notification;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The gauge of violations by the namespace of the pod, over all policies. A namespace without violations has no time
 * series. Used by the engine's thread only; other threads may read the gauges.
 */
public final class NamespaceViolations {
    private static final String NAME = "holdfast_violations_by_namespace";

    private final MeterRegistry registry;
    private final BooleanSupplier leads;
    private final Map<String, Series> byNamespace = new HashMap<>();

    private record Series(AtomicInteger violations, Meter.Id id) {}

    /**
     * Creates the gauge; it has no time series yet.
     *
     * @param leads whether this replica leads; while it does not, all series are 0, so that a sum over all replicas
     *     counts each violation once
     */
    public NamespaceViolations(MeterRegistry registry, BooleanSupplier leads) {
        this.registry = registry;
        this.leads = leads;
    }

    /** Counts the beginning or the end of a violation. Other notifications change nothing. */
    public void count(Notification notification) {
        String namespace = notification.violation().owner().name().namespace();
        if (notification instanceof Notification.Started) {
            byNamespace.computeIfAbsent(namespace, this::register).violations().incrementAndGet();
        } else if (notification instanceof Notification.Ended) {
            byNamespace.computeIfPresent(namespace, (_, series) -> {
                if (series.violations().decrementAndGet() > 0) {
                    return series;
                }
                registry.remove(series.id());
                return null;
            });
        }
    }

    private Series register(String namespace) {
        AtomicInteger violations = new AtomicInteger();
        Gauge gauge = Gauge.builder(NAME, () -> leads.getAsBoolean() ? violations.get() : 0)
                .description("Rules that pods of a namespace violate now.")
                .tag("pod_namespace", namespace)
                .register(registry);
        return new Series(violations, gauge.getId());
    }
}
