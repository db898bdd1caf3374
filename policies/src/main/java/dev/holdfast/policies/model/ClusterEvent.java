package dev.holdfast.policies.model;

/** One change of a fact. {@code Changed} says what the object is now, whether it is new or not. */
public sealed interface ClusterEvent {
    record PodChanged(Pod pod) implements ClusterEvent {}

    /** A pod is no more. Another pod may already stand under its name. */
    record PodGone(String uid) implements ClusterEvent {}

    record NodeChanged(Node node) implements ClusterEvent {}

    record NodeGone(String name) implements ClusterEvent {}

    record NamespaceChanged(Namespace namespace) implements ClusterEvent {}

    record NamespaceGone(String name) implements ClusterEvent {}

    record OwnerChanged(Owner owner) implements ClusterEvent {}

    record OwnerGone(String uid) implements ClusterEvent {}

    record BudgetChanged(DisruptionBudget budget) implements ClusterEvent {}

    record BudgetGone(String uid) implements ClusterEvent {}
}
