package dev.holdfast.policies.model;

/** One change of a fact. {@code Changed} says what the object is now, whether it is new or not. */
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

    /** A pod is no more. Another pod may already stand under its name. */
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
