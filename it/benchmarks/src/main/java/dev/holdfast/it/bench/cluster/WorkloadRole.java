package dev.holdfast.it.bench.cluster;

import java.util.Locale;

/** The rule that the pods of a workload in the bench's cluster have; {@link #PLAIN} has none. */
enum WorkloadRole {
    /** Node affinity to nodes with an SSD. */
    SSD(30),
    /** Anti-affinity by node to pods of the same workload and to noisy pods. */
    APART(30),
    /** Spread over the zones with maxSkew 1: one pod in each zone, to which pods of {@link #NEAR} have affinity. */
    CACHE(PlacedPod.ZONES),
    /** Affinity by zone to a pod of {@link #CACHE}. */
    NEAR(20),
    /**
     * Spread over the zones with maxSkew 1: two pods in half of the zones, and three in the other zones, where one pod
     * more would break the rule.
     */
    EVEN(2 * PlacedPod.ZONES + PlacedPod.ZONES / 2),
    /** No rule. */
    PLAIN(35);

    private static final String ZONE = "topology.kubernetes.io/zone";

    private final int replicas;

    WorkloadRole(int replicas) {
        this.replicas = replicas;
    }

    /** {@return the name of the role in object names and labels} */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return the number of pods of a workload} */
    int replicas() {
        return replicas;
    }

    /**
     * {@return the rules in the spec of a pod, as YAML in one line; empty if there are none}
     *
     * @param block the number of the pod's block
     */
    String rules(String block) {
        return switch (this) {
            case SSD ->
                affinity(
                        "node",
                        "{nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}");
            case APART ->
                affinity(
                        "podAnti",
                        "[" + term("app: apart-" + block, "kubernetes.io/hostname") + ", "
                                + term("noisy: \"yes\"", "kubernetes.io/hostname") + "]");
            case NEAR -> affinity("pod", "[" + term("app: cache-" + block + ", serves: \"yes\"", ZONE) + "]");
            case CACHE -> spread("app: cache-" + block);
            case EVEN -> spread("even: even-" + block);
            case PLAIN -> "";
        };
    }

    private static String affinity(String kind, String required) {
        return "affinity: {" + kind + "Affinity: {requiredDuringSchedulingIgnoredDuringExecution: " + required + "}}";
    }

    private static String term(String labels, String topologyKey) {
        return "{labelSelector: {matchLabels: {" + labels + "}}, topologyKey: " + topologyKey + "}";
    }

    private static String spread(String labels) {
        return "topologySpreadConstraints: [{maxSkew: 1, whenUnsatisfiable: DoNotSchedule, "
                + term(labels, ZONE).substring(1) + "]";
    }

    /** {@return the labels that rules read besides {@code app}, as YAML in one line; empty if there are none} */
    String labels(String block) {
        return switch (this) {
            case CACHE -> "serves: \"yes\"";
            case EVEN -> "even: even-" + block;
            case SSD, APART, NEAR, PLAIN -> "";
        };
    }
}
