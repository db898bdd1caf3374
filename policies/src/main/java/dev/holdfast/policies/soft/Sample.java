package dev.holdfast.policies.soft;

/** How many feasible nodes the scheduler looks for before it scores, with its default configuration (SC-ALL-8). */
final class Sample {
    private static final int ALL_BELOW = 100;
    private static final int GREATEST_PERCENTAGE = 50;
    private static final int LEAST_PERCENTAGE = 5;
    private static final int NODES_A_PERCENT_LESS = 125;

    private Sample() {}

    /** {@return the number of feasible nodes at which the search ends, for a cluster with this number of nodes} */
    static int of(int clusterNodes) {
        if (clusterNodes < ALL_BELOW) {
            return clusterNodes;
        }
        int percentage = Math.max(LEAST_PERCENTAGE, GREATEST_PERCENTAGE - clusterNodes / NODES_A_PERCENT_LESS);
        return Math.max(ALL_BELOW, clusterNodes * percentage / 100);
    }
}
