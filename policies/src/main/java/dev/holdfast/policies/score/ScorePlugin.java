package dev.holdfast.policies.score;

/** A score plugin of the scheduler. Each gives a node 0 to 100, and the sum of all, by their weights, decides. */
public enum ScorePlugin {
    /** Preferred terms of node affinity. */
    NODE_AFFINITY("NodeAffinity", 2),
    /** Taints with the effect PreferNoSchedule. */
    TAINT_TOLERATION("TaintToleration", 3),
    /** Preferred terms of pod affinity and anti-affinity, of the pod and of the other pods. */
    INTER_POD_AFFINITY("InterPodAffinity", 2),
    /** Soft topology spread constraints. */
    POD_TOPOLOGY_SPREAD("PodTopologySpread", 2);

    private final String text;
    private final int defaultWeight;

    ScorePlugin(String text, int defaultWeight) {
        this.text = text;
        this.defaultWeight = defaultWeight;
    }

    /** {@return the weight in the default profile of the scheduler} */
    public int defaultWeight() {
        return defaultWeight;
    }

    /** {@return the name that the configuration of the scheduler uses: {@code PodTopologySpread}} */
    @Override
    public String toString() {
        return text;
    }
}
