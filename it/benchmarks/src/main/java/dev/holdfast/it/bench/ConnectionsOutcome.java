package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ProcessPeak;
import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.List;

/**
 * What clients of one behavior did to the operator while they held connections open.
 *
 * @param section the behavior, and how metrics are served
 * @param held the most connections that the clients had open at once
 * @param probeMillis how long each probe took, in order
 * @param failures why probes failed; empty if none did
 * @param scrapes how many scrapes a legitimate reader tried, and how many of them succeeded
 * @param memoryLimitMiB the memory limit of the operator's container
 * @param cpuSeconds the CPU time of the operator per second
 * @param after what remained afterwards
 */
record ConnectionsOutcome(
        String section,
        int held,
        List<Double> probeMillis,
        List<String> failures,
        Scrapes scrapes,
        ProcessPeak peak,
        double memoryLimitMiB,
        double cpuSeconds,
        After after) {
    private static final double ALL = 100;
    private static final double LONGEST_PROBE_MILLIS = 1_000;

    ConnectionsOutcome {
        probeMillis = List.copyOf(probeMillis);
        failures = List.copyOf(failures);
    }

    /** How many scrapes a legitimate reader tried, and how many succeeded. */
    record Scrapes(int tried, int succeeded) {}

    /**
     * What remained after the clients had stopped to open connections.
     *
     * @param seconds until the operator had no more connections open than before, or a minute if it never had
     * @param connections how many more connections it had open then than before
     * @param ended how many operators had ended by themselves: 0 or 1
     */
    record After(double seconds, int connections, int ended) {}

    /** {@return the figures of the report} */
    List<Figure> figures() {
        Summary probes = Summary.of(probeMillis);
        return List.of(
                Figure.of(section, "connections held at once", held, Unit.COUNT),
                Figure.of(section, "probe, median", probes.p50(), Unit.MILLISECONDS),
                Figure.of(section, "probe, maximum", probes.max(), Unit.MILLISECONDS)
                        .noting(probes.count() + " probes")
                        .against(Target.atMost(LONGEST_PROBE_MILLIS)),
                Figure.of(section, "failed probes", failures.size(), Unit.COUNT)
                        .noting(failures.stream().findFirst().orElse("").strip())
                        .against(Target.atMost(0)),
                Figure.of(section, "scrapes that got through", scrapes.succeeded(), Unit.COUNT)
                        .noting("of " + scrapes.tried()),
                Figure.of(section, "peak of resident memory", peak.residentMiB(), Unit.MEBIBYTES)
                        .against(Target.atMost(memoryLimitMiB)),
                Figure.of(section, "CPU, of one core", cpuSeconds * ALL, Unit.PERCENT),
                Figure.of(section, "threads", peak.threads(), Unit.COUNT),
                Figure.of(section, "file descriptors", peak.descriptors(), Unit.COUNT),
                Figure.of(section, "until all connections were closed", after.seconds(), Unit.SECONDS),
                Figure.of(section, "connections left", after.connections(), Unit.COUNT)
                        .against(Target.atMost(0)),
                Figure.of(section, "operators that ended", after.ended(), Unit.COUNT)
                        .against(Target.atMost(0)));
    }
}
