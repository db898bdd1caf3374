package dev.holdfast.it.bench.engine;

/**
 * The size and shape of a generated cluster, a {@link World}.
 *
 * @param replicas the average number of replicas of a workload
 * @param seed the random seed; equal plans give equal clusters
 */
public record WorldPlan(int pods, int nodes, int replicas, Shape shape, long seed) {
    static final int FEWEST_NODES = 50;
    private static final int PODS_PER_NODE = 10;
    private static final int CROWDS = 50;

    /** Which pods the policies select, and what is special about the pods' labels or rules. */
    public enum Shape {
        /** Every pod is selected by at least one policy. */
        USUAL,
        /** Policies select only the pods of one namespace in ten. */
        MOSTLY_UNSELECTED,
        /** A few pods have anti-affinity by node with a selector that matches every pod of the cluster. */
        EVERY_POD_MATCHED,
        /** Every pod has a label with a unique value. */
        UNIQUE_LABELS
    }

    /**
     * @throws IllegalArgumentException with a message of one line, if there are too few nodes, or too few pods for the
     * nodes
     */
    public WorldPlan {
        if (nodes < FEWEST_NODES) {
            throw new IllegalArgumentException("a world needs at least " + FEWEST_NODES + " nodes, not " + nodes);
        }
        if (pods < nodes * PODS_PER_NODE) {
            throw new IllegalArgumentException(
                    nodes + " nodes need at least " + nodes * PODS_PER_NODE + " pods, not " + pods);
        }
    }

    /**
     * {@return how many pods the one big workload has} The one big namespace has as many. With 150,000 pods in all,
     * each has 3,000.
     */
    int crowd() {
        return pods / CROWDS;
    }
}
