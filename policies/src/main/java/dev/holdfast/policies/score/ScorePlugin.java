package dev.holdfast.policies.score;

import java.util.EnumSet;
import java.util.Set;

/** A score plugin of the scheduler. Each gives a node 0 to 100, and the sum of all, by their weights, decides. */
public enum ScorePlugin {
    /** Preferred terms of node affinity. */
    NODE_AFFINITY("NodeAffinity", 2),
    /** Taints with the effect PreferNoSchedule. */
    TAINT_TOLERATION("TaintToleration", 3),
    /** Preferred terms of pod affinity and anti-affinity, of the pod and of the other pods. */
    INTER_POD_AFFINITY("InterPodAffinity", 2),
    /** Soft topology spread constraints. */
    POD_TOPOLOGY_SPREAD("PodTopologySpread", 2),
    /** Free cpu and memory. */
    NODE_RESOURCES_FIT("NodeResourcesFit", 1),
    /** Equal shares of used cpu and memory. */
    NODE_RESOURCES_BALANCED_ALLOCATION("NodeResourcesBalancedAllocation", 1);

    /** The plugins of soft rules; the others look at the load of nodes. */
    private static final Set<ScorePlugin> OF_SOFT_RULES =
            EnumSet.of(NODE_AFFINITY, TAINT_TOLERATION, INTER_POD_AFFINITY, POD_TOPOLOGY_SPREAD);

    private final String text;
    private final int defaultWeight;

    ScorePlugin(String text, int defaultWeight) {
        this.text = text;
        this.defaultWeight = defaultWeight;
    }

    /** {@return whether the plugin scores by soft rules, of the pod or of nodes; the others score by load} */
    public boolean ofSoftRules() {
        return OF_SOFT_RULES.contains(this);
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
