package dev.holdfast.policies.engine;

/** One kind of objects that the engine sees by a feed. It acts only while all views are synced. */
public enum View {
    PODS,
    NODES,
    NAMESPACES,
    OWNERS,
    BUDGETS,
    POLICIES,
    PAUSES;

    /**
     * {@return whether a gap in it is time not observed} What may be missed in the others, a pause or what a budget allows,
     * neither ends a violation nor starts its time anew.
     */
    boolean tellsOfViolations() {
        return switch (this) {
            case PODS, NODES, NAMESPACES, OWNERS, POLICIES -> true;
            case BUDGETS, PAUSES -> false;
        };
    }
}
