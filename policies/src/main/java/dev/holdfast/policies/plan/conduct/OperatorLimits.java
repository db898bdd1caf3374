package dev.holdfast.policies.plan.conduct;

/**
 * The operator's limits on evictions.
 *
 * @param cluster the most moves in flight at once in the cluster
 * @param perHour the most evictions in the cluster within an hour
 * @param perNamespace the most moves in flight at once of pods in one namespace
 * @param perNode the most moves in flight at once of pods from one node
 * @param perWorkload the most moves in flight at once of pods of one workload
 */
public record OperatorLimits(int cluster, int perHour, int perNamespace, int perNode, int perWorkload) {
    /**
     * {@return the default limits: 10 moves in flight and 120 evictions an hour; 5 moves in a namespace, 2 from a node,
     * 1 of a workload}
     */
    public static OperatorLimits defaults() {
        return new OperatorLimits(10, 120, 5, 2, 1);
    }
}
