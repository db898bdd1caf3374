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

/** Cluster events for tests. A changed pod, node or namespace is described again with all its traits. */
public final class Changes {
    private Changes() {}

    /** {@return the event of a new or changed pod} */
    public static ClusterEvent podChanged(String name, PodTrait... traits) {
        return new ClusterEvent.PodChanged(Facts.pod(name, traits));
    }

    /** {@return the removal of the pod with this UID} */
    public static ClusterEvent podGone(String uid) {
        return new ClusterEvent.PodGone(uid);
    }

    /** {@return the event of a new or changed node} */
    public static ClusterEvent nodeChanged(String name, NodeTrait... traits) {
        return new ClusterEvent.NodeChanged(Facts.node(name, traits));
    }

    /** {@return the removal of the node with this name} */
    public static ClusterEvent nodeGone(String name) {
        return new ClusterEvent.NodeGone(name);
    }

    /** {@return the event of a new or changed namespace} */
    public static ClusterEvent namespaceChanged(String name, LabelsTrait labels) {
        return new ClusterEvent.NamespaceChanged(Facts.namespace(name, labels));
    }

    /** {@return the removal of the namespace with this name} */
    public static ClusterEvent namespaceGone(String name) {
        return new ClusterEvent.NamespaceGone(name);
    }

    /** {@return a new or changed ReplicaSet in {@value Facts#NAMESPACE}; a Deployment of the same name controls it} */
    public static ClusterEvent replicaSetChanged(String name, String uid, int replicas) {
        return new ClusterEvent.OwnerChanged(new Owner(
                uid,
                "ReplicaSet",
                new NamespacedName(Facts.NAMESPACE, name),
                Optional.of(new Controller("Deployment", name, "deployment-" + name)),
                OptionalInt.of(replicas)));
    }

    /** {@return the removal of the ReplicaSet with this UID} */
    public static ClusterEvent replicaSetGone(String uid) {
        return new ClusterEvent.OwnerGone(uid);
    }

    /** {@return the removal of the disruption budget with this UID} */
    public static ClusterEvent budgetGone(String uid) {
        return new ClusterEvent.BudgetGone(uid);
    }

    /** {@return a new or changed disruption budget in {@value Facts#NAMESPACE}, with its name as its UID} */
    public static ClusterEvent budgetChanged(String name, LabelSelector selector, int disruptionsAllowed) {
        return new ClusterEvent.BudgetChanged(new DisruptionBudget(
                name, new NamespacedName(Facts.NAMESPACE, name), Optional.of(selector), disruptionsAllowed));
    }

    /** {@return a new or changed disruption budget that would allow no eviction even with all its pods healthy} */
    public static ClusterEvent budgetNeverAllows(String name, LabelSelector selector) {
        return new ClusterEvent.BudgetChanged(
                new DisruptionBudget(name, new NamespacedName(Facts.NAMESPACE, name), Optional.of(selector), 0, true));
    }
}
