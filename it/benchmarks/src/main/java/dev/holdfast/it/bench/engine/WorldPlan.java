package dev.holdfast.it.bench.engine;

/**
 * How large a {@link World} is and what is special about it.
 *
 * @param replicas of a workload, on average
 * @param seed the same plan gives the same world
 */
public record WorldPlan(int pods, int nodes, int replicas, Shape shape, long seed) {
    static final int FEWEST_NODES = 50;
    private static final int PODS_PER_NODE = 10;
    private static final int CROWDS = 50;

    /** What is special about a world. */
    public enum Shape {
        /** Every pod is selected by at least one policy. */
        USUAL,
        /** Policies select pods of one namespace in ten only. */
        MOSTLY_UNSELECTED,
        /** A few pods demand to be on nodes with no other pod of the cluster: their term matches every pod. */
        EVERY_POD_MATCHED,
        /** Every pod has a label of which no other pod has the value. */
        UNIQUE_LABELS
    }

    /** @throws IllegalArgumentException in one line, if there is no such world */
    public WorldPlan {
        if (nodes < FEWEST_NODES) {
            throw new IllegalArgumentException("a world needs at least " + FEWEST_NODES + " nodes, not " + nodes);
        }
        if (pods < nodes * PODS_PER_NODE) {
            throw new IllegalArgumentException(
                    nodes + " nodes need at least " + nodes * PODS_PER_NODE + " pods, not " + pods);
        }
    }

    /** {@return how many pods the one big workload and the one big namespace have: 3,000 of 150,000} */
    int crowd() {
        return pods / CROWDS;
    }
}
