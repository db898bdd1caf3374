package dev.holdfast.policies.soft;

/** The four kinds of soft rules. */
public enum SoftRuleKind {
    PREFERRED_NODE_AFFINITY("PreferredNodeAffinity"),
    PREFERRED_POD_AFFINITY("PreferredPodAffinity"),
    PREFERRED_POD_ANTI_AFFINITY("PreferredPodAntiAffinity"),
    /** A constraint with {@code ScheduleAnyway}, of the pod or of the scheduler's defaults. */
    SOFT_TOPOLOGY_SPREAD("SoftTopologySpread");

    private final String label;

    SoftRuleKind(String label) {
        this.label = label;
    }

    /** {@return the kind as users write it in a policy: {@code SoftTopologySpread}} */
    public String label() {
        return label;
    }
}
