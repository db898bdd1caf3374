package dev.holdfast.it.bench.cluster;

import java.util.Locale;

/** The rule that the pods of a workload in the bench's cluster have; some workloads have none. */
public enum WorkloadRole {
    /** Node affinity to nodes with an SSD. */
    SSD,
    /** Anti-affinity by node to pods of the same workload and to noisy pods. */
    APART,
    /** Affinity by zone to a pod of a cache, the role {@link #CACHE}. */
    NEAR,
    /** No rule; one pod in each zone, to which {@link #NEAR} has affinity. */
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
