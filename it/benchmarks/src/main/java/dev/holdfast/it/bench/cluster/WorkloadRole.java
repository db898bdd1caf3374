package dev.holdfast.it.bench.cluster;

import java.util.Locale;

/** The rule that the pods of a workload in the bench's cluster have; {@link #PLAIN} has none. */
public enum WorkloadRole {
    /** Node affinity to nodes with an SSD. */
    SSD,
    /** Anti-affinity by node to pods of the same workload and to noisy pods. */
    APART,
    /** Affinity by zone to a pod of a cache, the role {@link #CACHE}. */
    NEAR,
    /** Spread over the zones with maxSkew 1: one pod in each zone, to which pods of {@link #NEAR} have affinity. */
    CACHE,
    /** Spread over the zones with maxSkew 1. */
    EVEN,
    /** No rule. */
    PLAIN;

    /** {@return the name of the role in object names and labels} */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
