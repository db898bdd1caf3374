package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.model.ClusterEvent;

/** One kind of objects that the engine sees by a feed. It acts only while all views are synced. */
public enum View {
    PODS,
    NODES,
    NAMESPACES,
    OWNERS,
    BUDGETS,
    POLICIES,
    PAUSES;

    /** {@return the view that shows the object of a fact} */
    static View of(ClusterEvent fact) {
        return switch (fact) {
            case ClusterEvent.PodChanged _, ClusterEvent.PodGone _ -> PODS;
            case ClusterEvent.NodeChanged _, ClusterEvent.NodeGone _ -> NODES;
            case ClusterEvent.NamespaceChanged _, ClusterEvent.NamespaceGone _ -> NAMESPACES;
            case ClusterEvent.OwnerChanged _, ClusterEvent.OwnerGone _ -> OWNERS;
            case ClusterEvent.BudgetChanged _, ClusterEvent.BudgetGone _ -> BUDGETS;
        };
    }

    /**
     * {@return whether a gap in it is time not observed} What may be missed in the others, a pause or what a budget allows,
     * neither ends a violation nor starts its time anew.
     */
    public boolean tellsOfViolations() {
        return switch (this) {
            case PODS, NODES, NAMESPACES, OWNERS, POLICIES -> true;
            case BUDGETS, PAUSES -> false;
        };
    }
}
