package dev.holdfast.policies.rule;

/** The four kinds of required rules. */
public enum RuleKind {
    /** The nodeSelector together with the required node affinity. */
    NODE_AFFINITY("NodeAffinity"),
    POD_AFFINITY("PodAffinity"),
    POD_ANTI_AFFINITY("PodAntiAffinity"),
    TOPOLOGY_SPREAD("TopologySpread");

    private final String label;

    RuleKind(String label) {
        this.label = label;
    }

    /** {@return the kind as users write it in a policy: {@code PodAffinity}} */
    public String label() {
        return label;
    }
}
