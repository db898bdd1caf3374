package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.operator.offline.dump.admission.Admission;
import dev.holdfast.operator.offline.simulate.object.NodeStages;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;
import java.util.List;
import java.util.Optional;

/** Creates and replaces objects of a simulated cluster, as a person does who applies files. */
public final class AppliedObjects {
    private final SimulatedCluster cluster;
    private final NodeFailures failures;

    public AppliedObjects(SimulatedCluster cluster, NodeFailures failures) {
        this.cluster = cluster;
        this.failures = failures;
    }

    /** Creates an object, or replaces the one of its kind and name. A file need not have its UID. */
    public void add(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.PodChanged(Pod pod) ->
                cluster.find(pod.name())
                        .filter(other -> !other.uid().equals(pod.uid()))
                        .ifPresent(other -> cluster.change(new ClusterEvent.PodGone(other.uid())));
            case ClusterEvent.BudgetChanged(DisruptionBudget budget) ->
                List.copyOf(cluster.view().budgetsIn(budget.name().namespace())).stream()
                        .filter(other -> other.name().equals(budget.name()))
                        .filter(other -> !other.uid().equals(budget.uid()))
                        .forEach(other -> cluster.change(new ClusterEvent.BudgetGone(other.uid())));
            case ClusterEvent.QuotaChanged(ResourceQuota quota) ->
                List.copyOf(cluster.view().quotasIn(quota.name().namespace())).stream()
                        .filter(other -> other.name().equals(quota.name()))
                        .filter(other -> !other.uid().equals(quota.uid()))
                        .forEach(other -> cluster.change(new ClusterEvent.QuotaGone(other.uid())));
            case ClusterEvent.LimitRangeChanged(LimitRange limitRange) ->
                List.copyOf(cluster.view().limitRangesIn(limitRange.name().namespace())).stream()
                        .filter(other -> other.name().equals(limitRange.name()))
                        .filter(other -> !other.uid().equals(limitRange.uid()))
                        .forEach(other -> cluster.change(new ClusterEvent.LimitRangeGone(other.uid())));
            case ClusterEvent.PodGone _,
                    ClusterEvent.OfNode _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OfOwner _,
                    ClusterEvent.BudgetGone _,
                    ClusterEvent.QuotaGone _,
                    ClusterEvent.LimitRangeGone _,
                    ClusterEvent.CsiNodeChanged _,
                    ClusterEvent.CsiNodeGone _ -> {
                // Other kinds are told apart by their names, and an owner keeps its UID below.
            }
        }
        switch (event) {
            case ClusterEvent.OwnerChanged(Owner owner) -> cluster.put(withUidOfOther(owner));
            case ClusterEvent.PodChanged(Pod pod) when isNew(pod) -> cluster.add(pod);
            case ClusterEvent.NodeChanged(Node node) -> put(node);
            case ClusterEvent.OfPod _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.NodeUnread _,
                    ClusterEvent.NodeGone _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> cluster.put(event);
        }
    }

    /** Creates or replaces a node as its controllers leave it if this version changes a state with taints. */
    private void put(Node applied) {
        Optional<Node> before = cluster.view().node(applied.name());
        Node node = before.filter(_ -> Admission.isOfFile(applied))
                .map(known -> NodeStages.applied(known, applied))
                .orElse(applied);
        Node cordoned = before.filter(known -> known.unschedulable() == node.unschedulable())
                .map(_ -> node)
                .orElseGet(() -> NodeStages.controlled(node));
        Node after = before.filter(known -> known.ready() && node.ready())
                .map(_ -> cordoned)
                .orElseGet(() -> NodeStages.readinessControlled(cordoned));
        before.ifPresentOrElse(
                known -> failures.change(known, after), () -> cluster.change(new ClusterEvent.NodeChanged(after)));
    }

    private boolean isNew(Pod pod) {
        return pod.nodeName().isEmpty() && cluster.view().pod(pod.uid()).isEmpty();
    }

    /** {@return the object with the UID by which pods name it, if there is one of its kind and name} */
    private ClusterEvent withUidOfOther(Owner owner) {
        String uid = cluster.view().ownersIn(owner.name().namespace()).stream()
                .filter(other ->
                        other.kind().equals(owner.kind()) && other.name().equals(owner.name()))
                .map(Owner::uid)
                .findFirst()
                .orElse(owner.uid());
        return new ClusterEvent.OwnerChanged(owner.withUid(uid));
    }
}
