package dev.holdfast.policies.plan.conduct;

/**
 * The operator's limits on evictions: the most in flight at once, in the cluster and in each namespace, node and
 * workload, and the most within an hour.
 */
public record OperatorLimits(int cluster, int perHour, int perNamespace, int perNode, int perWorkload) {
    /** {@return 10 in flight and 120 an hour; 5 in a namespace, 2 from a node, 1 of a workload} */
    public static OperatorLimits defaults() {
        return new OperatorLimits(10, 120, 5, 2, 1);
    }
}
