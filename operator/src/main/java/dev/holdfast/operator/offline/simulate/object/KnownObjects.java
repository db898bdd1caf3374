package dev.holdfast.operator.offline.simulate.object;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;

/** Compares events with the objects that a cluster has. */
public final class KnownObjects {
    private KnownObjects() {}

    /** {@return whether an object is in a cluster exactly so; false for one that is gone} */
    public static boolean has(ClusterEvent event, ClusterView cluster) {
        return switch (event) {
            case ClusterEvent.PodChanged(Pod pod) ->
                cluster.pod(pod.uid()).filter(pod::equals).isPresent();
            case ClusterEvent.NodeChanged(Node node) ->
                cluster.node(node.name()).filter(node::equals).isPresent();
            case ClusterEvent.NodeUnread(Node node) ->
                cluster.unreadNode(node.name()).filter(node::equals).isPresent();
            case ClusterEvent.NamespaceChanged(Namespace namespace) ->
                cluster.namespace(namespace.name()).filter(namespace::equals).isPresent();
            case ClusterEvent.OwnerChanged(Owner owner) ->
                cluster.owner(owner.name().namespace(), owner.uid())
                        .filter(owner::equals)
                        .isPresent();
            case ClusterEvent.BudgetChanged(DisruptionBudget budget) ->
                cluster.budgetsIn(budget.name().namespace()).contains(budget);
            case ClusterEvent.QuotaChanged(ResourceQuota quota) ->
                cluster.quotasIn(quota.name().namespace()).contains(quota);
            case ClusterEvent.LimitRangeChanged(LimitRange limitRange) ->
                cluster.limitRangesIn(limitRange.name().namespace()).contains(limitRange);
            case ClusterEvent.PodGone _,
                    ClusterEvent.NodeGone _,
                    ClusterEvent.NamespaceGone _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.BudgetGone _,
                    ClusterEvent.QuotaGone _,
                    ClusterEvent.LimitRangeGone _,
                    ClusterEvent.CsiNodeChanged _,
                    ClusterEvent.CsiNodeGone _ -> false;
        };
    }
}
