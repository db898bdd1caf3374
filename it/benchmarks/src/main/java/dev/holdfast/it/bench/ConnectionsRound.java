package dev.holdfast.it.bench;

import dev.holdfast.it.bench.connection.ClientBehavior;
import dev.holdfast.it.bench.connection.HeldConnections;
import dev.holdfast.it.bench.connection.ServedPort;
import dev.holdfast.it.bench.connection.ServedPort.Scheme;
import dev.holdfast.it.bench.measure.AcceptedConnections;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.ProcessPeak;
import dev.holdfast.it.scenario.KubeletProbe;
import dev.holdfast.it.scenario.KubeletProbe.Outcome;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The round of one behavior of clients in the connections bench. */
record ConnectionsRound(
        BenchEnvironment environment,
        ConnectionsOptions options,
        Scheme metrics,
        ClientBehavior behavior,
        MetricsReader reader) {
    private static final Duration BETWEEN_PROBES = Duration.ofMillis(100);

    /** How long the operator is measured at most after the clients have stopped to open connections. */
    private static final Duration LONGEST_END = Duration.ofMinutes(1);

    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS = 1e3;

    /** Starts an operator, measures it, and returns the outcome. */
    ConnectionsOutcome play() throws InterruptedException {
        String section = behavior + ", " + metrics.name().toLowerCase(Locale.ROOT);
        environment.progress().say(section);
        Container container = environment.chart().container();
        try (OperatorProcess operator = environment
                        .startOperator("operator-" + section.replaceAll("\\W+", "-"))
                        .process();
                ProcessPeak.Watch watch = new ProcessPeak.Watch(operator.pid())) {
            awaitScrape(operator);
            Held held = hold(operator, container);
            return new ConnectionsOutcome(
                    section,
                    held.most(),
                    held.probes().stream()
                            .map(it -> it.took().toNanos() / NANOS_PER_MILLI)
                            .toList(),
                    held.probes().stream()
                            .map(Outcome::failure)
                            .filter(it -> !it.isEmpty())
                            .toList(),
                    held.scrapes(),
                    watch.peak(),
                    memoryLimitMiB(container),
                    held.cpuSeconds(),
                    held.after());
        }
    }

    private static double memoryLimitMiB(Container container) {
        Quantity limit =
                Objects.requireNonNull(container.getResources().getLimits().get("memory"), "a memory limit");
        return limit.getNumericalAmount().doubleValue() / BYTES_PER_MIB;
    }

    private record Held(
            int most,
            List<Outcome> probes,
            ConnectionsOutcome.Scrapes scrapes,
            double cpuSeconds,
            ConnectionsOutcome.After after) {}

    /** Waits until the operator has served metrics once: a token must be known before connections are held. */
    private void awaitScrape(OperatorProcess operator) throws InterruptedException {
        Instant latest = environment.clock().instant().plus(LONGEST_END);
        while (!reader.reads(operator)) {
            if (environment.clock().instant().isAfter(latest)) {
                throw new BenchException("the operator serves no metrics to those who may read them");
            }
            TimeUnit.NANOSECONDS.sleep(BETWEEN_PROBES.toNanos());
        }
    }

    private Held hold(OperatorProcess operator, Container container) throws InterruptedException {
        int before = accepted(operator);
        List<Outcome> probes = new ArrayList<>();
        Instant start = environment.clock().instant();
        double cpuBefore = ProcessFigures.of(operator.pid()).cpuSeconds();
        try (HeldConnections held = HeldConnections.start(ports(operator), options.connections(), behavior);
                RepeatedScrape scraper = new RepeatedScrape(reader, operator)) {
            List<KubeletProbe> asked = List.of(
                    KubeletProbe.of(container.getLivenessProbe(), operator.port()),
                    KubeletProbe.of(container.getReadinessProbe(), operator.port()));
            Instant end = start.plusSeconds(options.seconds());
            while (environment.clock().instant().isBefore(end)) {
                for (KubeletProbe probe : asked) {
                    probes.add(probe.ask());
                    TimeUnit.NANOSECONDS.sleep(BETWEEN_PROBES.toNanos());
                }
            }
            double seconds = secondsSince(start);
            double cpu = cpuSince(operator, cpuBefore);
            ConnectionsOutcome.Scrapes scrapes = scraper.scrapes();
            int most = held.most();
            held.reopenNone();
            return new Held(most, probes, scrapes, cpu / seconds, awaitEnd(operator, before));
        }
    }

    private List<ServedPort> ports(OperatorProcess operator) {
        return List.of(
                new ServedPort(operator.port(), "/livez", Scheme.HTTP),
                new ServedPort(operator.metricsPort(), "/metrics", metrics));
    }

    private static int accepted(OperatorProcess operator) {
        return AcceptedConnections.now(operator.pid(), Set.of(operator.port(), operator.metricsPort()));
    }

    private double cpuSince(OperatorProcess operator, double before) {
        return hasEnded(operator) ? 0 : ProcessFigures.of(operator.pid()).cpuSeconds() - before;
    }

    private double secondsSince(Instant start) {
        return Duration.between(start, environment.clock().instant()).toMillis() / MILLIS;
    }

    private static boolean hasEnded(OperatorProcess operator) {
        return ProcessHandle.of(operator.pid()).isEmpty();
    }

    private ConnectionsOutcome.After awaitEnd(OperatorProcess operator, int before) throws InterruptedException {
        Instant start = environment.clock().instant();
        Instant latest = start.plus(LONGEST_END);
        int now = accepted(operator);
        while (now > before && environment.clock().instant().isBefore(latest)) {
            TimeUnit.NANOSECONDS.sleep(BETWEEN_PROBES.toNanos());
            now = accepted(operator);
        }
        return new ConnectionsOutcome.After(secondsSince(start), Math.max(0, now - before), hasEnded(operator) ? 1 : 0);
    }
}
