package dev.holdfast.policies.engine;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;

/** A fact before and after: what an event changed of what verdicts depend on. */
sealed interface Change {
    /** A pod; absent before it was known, and after it is gone. */
    record OfPod(Optional<Pod> before, Optional<Pod> after) implements Change {}

    /** A node. */
    record OfNode(String name, Optional<Node> before, Optional<Node> after) implements Change {}

    /** A namespace. */
    record OfNamespace(String name, Optional<Namespace> before, Optional<Namespace> after) implements Change {}

    /** An owner or a budget: no verdict depends on it. */
    record OfOthers() implements Change {}

    /** {@return what the event is about to change in the view} */
    static Change of(ClusterEvent event, ClusterView before) {
        return switch (event) {
            case ClusterEvent.PodChanged(Pod pod) -> new OfPod(before.pod(pod.uid()), Optional.of(pod));
            case ClusterEvent.PodGone(String uid) -> new OfPod(before.pod(uid), Optional.empty());
            case ClusterEvent.NodeChanged(Node node) ->
                new OfNode(node.name(), before.node(node.name()), Optional.of(node));
            case ClusterEvent.NodeGone(String name) -> new OfNode(name, before.node(name), Optional.empty());
            case ClusterEvent.NamespaceChanged(Namespace namespace) ->
                new OfNamespace(namespace.name(), before.namespace(namespace.name()), Optional.of(namespace));
            case ClusterEvent.NamespaceGone(String name) ->
                new OfNamespace(name, before.namespace(name), Optional.empty());
            case ClusterEvent.OwnerChanged _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.BudgetChanged _,
                    ClusterEvent.BudgetGone _ -> new OfOthers();
        };
    }
}
