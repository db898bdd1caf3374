package dev.holdfast.policies.model;

/**
 * A change of one cluster object. A {@code Changed} event contains the object after the change, whether the object is
 * new or updated. A {@code Gone} event identifies the deleted object.
 */
public sealed interface ClusterEvent {
    /** A change of a pod. */
    sealed interface OfPod extends ClusterEvent {}

    /** A change of a node. */
    sealed interface OfNode extends ClusterEvent {}

    /** A change of a namespace. */
    sealed interface OfNamespace extends ClusterEvent {}

    /** A change of a workload object that owns pods, for example a ReplicaSet. */
    sealed interface OfOwner extends ClusterEvent {}

    /** A change of a PodDisruptionBudget. */
    sealed interface OfBudget extends ClusterEvent {}

    /** A change of the pods that nodes or namespaces can take: of CSI drivers, a ResourceQuota or a LimitRange. */
    sealed interface OfCapacity extends ClusterEvent {}

    record PodChanged(Pod pod) implements OfPod {}

    /** A pod was removed. A new pod with another UID may already have the same name. */
    record PodGone(String uid) implements OfPod {}

    record NodeChanged(Node node) implements OfNode {}

    /**
     * A node is new or changed, and has more than Holdfast reads: its labels, taints and resources are unknown. The
     * pods on the node still count, but in unknown domains.
     */
    record NodeUnread(Node node) implements OfNode {}

    record NodeGone(String name) implements OfNode {}

    record NamespaceChanged(Namespace namespace) implements OfNamespace {}

    record NamespaceGone(String name) implements OfNamespace {}

    record OwnerChanged(Owner owner) implements OfOwner {}

    record OwnerGone(String uid) implements OfOwner {}

    record BudgetChanged(DisruptionBudget budget) implements OfBudget {}

    record BudgetGone(String uid) implements OfBudget {}

    record CsiNodeChanged(CsiNode csiNode) implements OfCapacity {}

    /** A CSINode was removed; it has the name of its node. */
    record CsiNodeGone(String name) implements OfCapacity {}

    record QuotaChanged(ResourceQuota quota) implements OfCapacity {}

    record QuotaGone(String uid) implements OfCapacity {}

    record LimitRangeChanged(LimitRange limitRange) implements OfCapacity {}

    record LimitRangeGone(String uid) implements OfCapacity {}
}
