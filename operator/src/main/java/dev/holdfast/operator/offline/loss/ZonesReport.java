package dev.holdfast.operator.offline.loss;

import dev.holdfast.operator.offline.dump.UnreadableKind;
import java.util.List;

/**
 * What the failure of each zone would do to each workload, as {@code holdfast zones -o json} writes it. Published as
 * {@code docs/schemas/zones-report.json}: no field changes its meaning.
 *
 * @param zones the zones, in order
 * @param workloads the workloads that have Ready pods, those that bear the worst first
 * @param unreadable the kinds of a live cluster that could not be listed; empty for files
 * @param warnings what may be wrong with the input, as sentences
 */
public record ZonesReport(
        String apiVersion,
        String kind,
        Summary summary,
        List<Zone> zones,
        List<Workload> workloads,
        List<UnreadableKind> unreadable,
        List<String> warnings) {
    static final String API_VERSION = "cli.holdfast.dev/v1";

    /** The kind of the document. */
    public static final String KIND = "ZonesReport";

    public ZonesReport {
        zones = List.copyOf(zones);
        workloads = List.copyOf(workloads);
        unreadable = List.copyOf(unreadable);
        warnings = List.copyOf(warnings);
    }

    /** {@return the same report with the kinds that could not be listed, and with warnings} */
    public ZonesReport with(List<UnreadableKind> kinds, List<String> sentences) {
        return new ZonesReport(apiVersion, kind, summary, zones, workloads, kinds, sentences);
    }

    /** The numbers of workloads by the worst that the failure of one zone does to them. */
    public record Summary(int fine, int degraded, int belowBudget, int gone) {}

    /**
     * A zone.
     *
     * @param zone the value of {@code topology.kubernetes.io/zone}
     * @param nodes how many nodes are in it
     */
    public record Zone(String zone, int nodes) {}

    /**
     * A workload.
     *
     * @param pods how many of its pods are Ready in the input
     * @param worst the worst state at any time, in any zone
     * @param failures what the failure of each zone does, in the order of the zones
     */
    public record Workload(
            String namespace, String kind, String name, int pods, WorkloadState worst, List<Failure> failures) {
        public Workload {
            failures = List.copyOf(failures);
        }
    }

    /**
     * What the failure of one zone does to one workload.
     *
     * @param left how many of its pods are Ready at the end
     * @param state how it stands at the end
     * @param why what comes back when, and what keeps the others from being replaced; empty if none is lost at any time
     * @param worstMoment when it stands worst
     */
    public record Failure(String zone, WorkloadState state, int left, String why, WorstMoment worstMoment) {
        /** {@return whether the workload has fewer Ready pods at any time} */
        public boolean hits() {
            return worstMoment.state() != WorkloadState.FINE;
        }

        /** {@return what a table says: {@code gone for 5m21s}} */
        public String words() {
            return worstMoment.cell(state, left);
        }
    }
}
