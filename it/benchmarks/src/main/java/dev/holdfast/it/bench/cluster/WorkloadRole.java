package dev.holdfast.it.bench.cluster;

import java.util.Locale;

/** What the pods of a workload demand, if anything. */
public enum WorkloadRole {
    /** Nodes with an SSD. */
    SSD,
    /** No other of their kind on the node, and nobody noisy. */
    APART,
    /** A cache of their block that serves, in the zone. */
    NEAR,
    /** One in each zone: the partners of {@link #NEAR}. */
    CACHE,
    /** As many in each zone, but for one. */
    EVEN,
    /** Nothing. */
    PLAIN;

    /** {@return its name in names and labels} */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
