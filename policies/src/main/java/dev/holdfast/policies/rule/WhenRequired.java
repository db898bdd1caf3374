package dev.holdfast.policies.rule;

/** When a rule of a policy is required: always, or only where some node can satisfy it. */
public enum WhenRequired {
    /** Required even where no node satisfies the rule: then a pod into which it is injected stays Pending. */
    ALWAYS("Always"),

    /**
     * Only where a node can satisfy the rule. The scheduler prefers such a node, and places the pod elsewhere if there
     * is none.
     */
    POSSIBLE_AT_SCHEDULING("PossibleAtScheduling");

    private final String label;

    WhenRequired(String label) {
        this.label = label;
    }

    /** {@return the value as users write it in a policy: {@code PossibleAtScheduling}} */
    public String label() {
        return label;
    }
}
