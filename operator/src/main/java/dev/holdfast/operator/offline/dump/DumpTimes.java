package dev.holdfast.operator.offline.dump;

import dev.holdfast.operator.offline.dump.admission.TaintTimes;
import java.time.Instant;
import java.util.Optional;

/**
 * Times in dumps that the operator does not need.
 *
 * @param newest the newest time in the objects. A kubelet writes one to its node every 5 minutes, so the dump is hardly
 *     newer. Absent for a live cluster, and if no object has a time
 * @param taints when taints of nodes were set; unknown for a live cluster
 */
public record DumpTimes(Optional<Instant> newest, TaintTimes taints) {
    /** The times of a live cluster. */
    public static final DumpTimes UNKNOWN = new DumpTimes(Optional.empty(), new TaintTimes());
}
