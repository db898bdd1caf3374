package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.model.ClusterEvent;
import java.util.Locale;

/** One kind of object that the operator lists and watches. The engine evicts only while all views are synced. */
public enum View {
    PODS,
    NODES,
    NAMESPACES,
    OWNERS,
    BUDGETS,
    CAPACITY,
    POLICIES,
    PAUSES;

    /** {@return the view as messages name it, for example {@code pods}} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return the view that delivers an event} */
    static View of(ClusterEvent fact) {
        return switch (fact) {
            case ClusterEvent.PodChanged _, ClusterEvent.PodGone _ -> PODS;
            case ClusterEvent.NodeChanged _, ClusterEvent.NodeUnread _, ClusterEvent.NodeGone _ -> NODES;
            case ClusterEvent.NamespaceChanged _, ClusterEvent.NamespaceGone _ -> NAMESPACES;
            case ClusterEvent.OwnerChanged _, ClusterEvent.OwnerGone _ -> OWNERS;
            case ClusterEvent.BudgetChanged _, ClusterEvent.BudgetGone _ -> BUDGETS;
            case ClusterEvent.CsiNodeChanged _,
                    ClusterEvent.CsiNodeGone _,
                    ClusterEvent.QuotaChanged _,
                    ClusterEvent.QuotaGone _,
                    ClusterEvent.LimitRangeChanged _,
                    ClusterEvent.LimitRangeGone _ -> CAPACITY;
        };
    }

    /**
     * {@return whether violations may begin or end unseen while this view is not synced} Disruption budgets, quotas,
     * LimitRanges, CSI drivers and pauses delay evictions, but neither begin nor end a violation.
     */
    public boolean affectsViolations() {
        return switch (this) {
            case PODS, NODES, NAMESPACES, OWNERS, POLICIES -> true;
            case BUDGETS, CAPACITY, PAUSES -> false;
        };
    }
}
