package dev.holdfast.it.bench.cluster;

import java.util.Locale;

/** The rule of the pods of a workload, if any. */
public enum WorkloadRole {
    /** Node affinity to nodes with an SSD. */
    SSD,
    /** Anti-affinity by node to pods of its own workload and to noisy pods. */
    APART,
    /** Affinity by zone to a serving cache of its block. */
    NEAR,
    /** One pod in each zone: the partners of {@link #NEAR}. */
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
