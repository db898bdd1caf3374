package dev.holdfast.policies.plan.controls;

/**
 * The operator's limits on evictions, over all policies.
 *
 * @param cluster the maximum number of moves in flight in the cluster
 * @param perHour the maximum number of evictions in the cluster within an hour
 * @param perNamespace the maximum number of moves in flight of pods in one namespace
 * @param perNode the maximum number of moves in flight of pods from one node
 * @param perWorkload the maximum number of moves in flight of pods of one workload
 */
public record OperatorLimits(int cluster, int perHour, int perNamespace, int perNode, int perWorkload) {
    /**
     * {@return the default limits: 10 moves in flight and 120 evictions an hour; 5 moves in a namespace, 2 from a node,
     * 1 of a workload}
     */
    public static OperatorLimits defaults() {
        return new OperatorLimits(10, 120, 5, 2, 1);
    }

    /** {@return these limits as they apply to pods of one namespace alone, for example for a namespaced policy} */
    public OperatorLimits inOneNamespace() {
        return new OperatorLimits(Math.min(cluster, perNamespace), perHour, perNamespace, perNode, perWorkload);
    }
}
