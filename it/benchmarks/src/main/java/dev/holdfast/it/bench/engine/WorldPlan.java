package dev.holdfast.it.bench.engine;

/**
 * The size of a generated cluster, a {@link World}.
 *
 * @param replicas the average number of replicas of a workload
 * @param auditedOneIn policies select the pods of one namespace in this many
 */
record WorldPlan(int pods, int nodes, int replicas, int auditedOneIn) {
    private static final int FEWEST_NODES = 50;
    private static final int PODS_PER_NODE = 10;
    private static final int CROWDS = 50;

    /** @throws IllegalArgumentException with a message of one line, if there are too few nodes or pods */
    WorldPlan {
        if (nodes < FEWEST_NODES || pods < nodes * PODS_PER_NODE) {
            throw new IllegalArgumentException("a world needs at least " + FEWEST_NODES + " nodes and " + PODS_PER_NODE
                    + " pods for each, not " + nodes + " and " + pods);
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
