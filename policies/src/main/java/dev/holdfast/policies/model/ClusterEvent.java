package dev.holdfast.policies.model;

/** A change of one cluster object. {@code Changed} carries the present object, whether it is new or updated. */
public sealed interface ClusterEvent {
    /** A change of a pod. */
    sealed interface OfPod extends ClusterEvent {}

    /** A change of a node. */
    sealed interface OfNode extends ClusterEvent {}

    /** A change of a namespace. */
    sealed interface OfNamespace extends ClusterEvent {}

    /** A change of a workload that owns pods. */
    sealed interface OfOwner extends ClusterEvent {}

    /** A change of a disruption budget. */
    sealed interface OfBudget extends ClusterEvent {}

    record PodChanged(Pod pod) implements OfPod {}

    /** A pod was removed. Another pod may already have its name. */
    record PodGone(String uid) implements OfPod {}

    record NodeChanged(Node node) implements OfNode {}

    record NodeGone(String name) implements OfNode {}

    record NamespaceChanged(Namespace namespace) implements OfNamespace {}

    record NamespaceGone(String name) implements OfNamespace {}

    record OwnerChanged(Owner owner) implements OfOwner {}

    record OwnerGone(String uid) implements OfOwner {}

    record BudgetChanged(DisruptionBudget budget) implements OfBudget {}

    record BudgetGone(String uid) implements OfBudget {}
}
