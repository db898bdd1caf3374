package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.testing.ObjectTrait.LabelsTrait;
import java.util.Optional;
import java.util.OptionalInt;

/** Changes of facts, in the same words as the facts. A pod, node or namespace that changed is said anew as a whole. */
public final class Changes {
    private Changes() {}

    /** {@return a pod being now as said, whether it is new or not} */
    public static ClusterEvent podChanged(String name, PodTrait... traits) {
        return new ClusterEvent.PodChanged(Facts.pod(name, traits));
    }

    /** {@return the pod with this UID being no more} */
    public static ClusterEvent podGone(String uid) {
        return new ClusterEvent.PodGone(uid);
    }

    /** {@return a node being now as said, whether it is new or not} */
    public static ClusterEvent nodeChanged(String name, NodeTrait... traits) {
        return new ClusterEvent.NodeChanged(Facts.node(name, traits));
    }

    /** {@return the node of this name being no more} */
    public static ClusterEvent nodeGone(String name) {
        return new ClusterEvent.NodeGone(name);
    }

    /** {@return a namespace being now as said, whether it is new or not} */
    public static ClusterEvent namespaceChanged(String name, LabelsTrait labels) {
        return new ClusterEvent.NamespaceChanged(Facts.namespace(name, labels));
    }

    /** {@return the namespace of this name being no more} */
    public static ClusterEvent namespaceGone(String name) {
        return new ClusterEvent.NamespaceGone(name);
    }

    /** {@return a ReplicaSet in {@value Facts#NAMESPACE} being now so, controlled by a Deployment of the same name} */
    public static ClusterEvent replicaSetChanged(String name, String uid, int replicas) {
        return new ClusterEvent.OwnerChanged(new Owner(
                uid,
                "ReplicaSet",
                new NamespacedName(Facts.NAMESPACE, name),
                Optional.of(new Controller("Deployment", name, "deployment-" + name)),
                OptionalInt.of(replicas)));
    }

    /** {@return the ReplicaSet with this UID being no more} */
    public static ClusterEvent replicaSetGone(String uid) {
        return new ClusterEvent.OwnerGone(uid);
    }

    /** {@return the disruption budget with this UID being no more} */
    public static ClusterEvent budgetGone(String uid) {
        return new ClusterEvent.BudgetGone(uid);
    }

    /** {@return a disruption budget in {@value Facts#NAMESPACE} being now so, with its name as its UID} */
    public static ClusterEvent budgetChanged(String name, LabelSelector selector, int disruptionsAllowed) {
        return new ClusterEvent.BudgetChanged(new DisruptionBudget(
                name, new NamespacedName(Facts.NAMESPACE, name), Optional.of(selector), disruptionsAllowed));
    }

    /** {@return a disruption budget that would allow nothing even if all its pods were healthy being now so} */
    public static ClusterEvent budgetNeverAllows(String name, LabelSelector selector) {
        return new ClusterEvent.BudgetChanged(
                new DisruptionBudget(name, new NamespacedName(Facts.NAMESPACE, name), Optional.of(selector), 0, true));
    }
}
