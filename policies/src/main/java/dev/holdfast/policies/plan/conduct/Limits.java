package dev.holdfast.policies.plan.conduct;

/**
 * How many evictions may be in flight at once, in all and by what they share, and how many may be made within any hour.
 */
public record Limits(int cluster, int perHour, int perNamespace, int perNode, int perWorkload) {
    /** {@return 10 in flight and 120 an hour; 5 a namespace, 2 a node, 1 a workload} */
    public static Limits defaults() {
        return new Limits(10, 120, 5, 2, 1);
    }
}
