package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.testing.ObjectTrait.LabelsTrait;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Builders for cluster events in tests. An event of a changed object contains only the traits given to its builder. */
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

    /** {@return the event of a node of which too much was not read} */
    public static ClusterEvent nodeUnread(String name, String why) {
        return new ClusterEvent.NodeUnread(Facts.node(name).unread(why));
    }

    /** {@return the removal of the node with this name} */
    public static ClusterEvent nodeGone(String name) {
        return new ClusterEvent.NodeGone(name);
    }

    /** {@return the event of a new or changed namespace} */
    public static ClusterEvent namespaceChanged(String name, LabelsTrait labels) {
        return new ClusterEvent.NamespaceChanged(Facts.namespace(name, labels));
    }

    /** {@return the event that a user acknowledges these ids in the operator's namespace, separated by commas} */
    public static ClusterEvent acknowledged(String ids) {
        return new ClusterEvent.NamespaceChanged(new Namespace(
                "holdfast",
                1,
                Labels.none(),
                DisruptionAnnotations.of(Map.of(DisruptionAnnotations.ACKNOWLEDGE, ids))));
    }

    /** {@return the removal of the namespace with this name} */
    public static ClusterEvent namespaceGone(String name) {
        return new ClusterEvent.NamespaceGone(name);
    }

    /** {@return the event of a new or changed Deployment in {@value Facts#NAMESPACE} with these annotations} */
    public static ClusterEvent deploymentChanged(String name, DisruptionAnnotations disruptionAnnotations) {
        return new ClusterEvent.OwnerChanged(new Owner(
                "deployment-" + name,
                "Deployment",
                new NamespacedName(Facts.NAMESPACE, name),
                Optional.empty(),
                OptionalInt.empty(),
                disruptionAnnotations));
    }

    /** {@return the event of a new or changed ReplicaSet of a Deployment, both in {@value Facts#NAMESPACE}} */
    public static ClusterEvent replicaSetChanged(String name, String uid, int replicas) {
        return new ClusterEvent.OwnerChanged(new Owner(
                uid,
                "ReplicaSet",
                new NamespacedName(Facts.NAMESPACE, name),
                Optional.of(new Controller("Deployment", name, "deployment-" + name)),
                OptionalInt.of(replicas)));
    }

    /** {@return the event that a ReplicaSet as in {@link #replicaSetChanged} cannot create pods, with its message} */
    public static ClusterEvent replicaSetFails(String name, String uid, int replicas, String message) {
        ClusterEvent.OwnerChanged changed = (ClusterEvent.OwnerChanged) replicaSetChanged(name, uid, replicas);
        return new ClusterEvent.OwnerChanged(changed.owner().withReplicaFailure(Optional.of(message)));
    }

    /** {@return the event of a new or changed Deployment, above the ReplicaSets of {@link #replicaSetChanged}} */
    public static ClusterEvent deploymentChanged(String name, int replicas) {
        return new ClusterEvent.OwnerChanged(new Owner(
                "deployment-" + name,
                "Deployment",
                new NamespacedName(Facts.NAMESPACE, name),
                Optional.empty(),
                OptionalInt.of(replicas)));
    }

    /**
     * {@return the event of a ReplicaSet of one pod in a namespace, whose UID is its name} No Deployment controls it.
     */
    public static ClusterEvent replicaSetChangedIn(String namespace, String name) {
        return new ClusterEvent.OwnerChanged(new Owner(
                name, "ReplicaSet", new NamespacedName(namespace, name), Optional.empty(), OptionalInt.of(1)));
    }

    /**
     * {@return the event of a new or changed StatefulSet in {@value Facts#NAMESPACE}, whose UID is its name} Its pods
     * are owned as in {@code PodTraits.ownedBy("StatefulSet", name, name)}.
     */
    public static ClusterEvent statefulSetChanged(String name, int replicas, StatefulSetRevisions revisions) {
        return new ClusterEvent.OwnerChanged(new Owner(
                name,
                "StatefulSet",
                new NamespacedName(Facts.NAMESPACE, name),
                Optional.empty(),
                OptionalInt.of(replicas),
                DisruptionAnnotations.none(),
                Optional.of(revisions),
                PodCreation.atOnce()));
    }

    /** {@return the removal of the ReplicaSet with this UID} */
    public static ClusterEvent replicaSetGone(String uid) {
        return new ClusterEvent.OwnerGone(uid);
    }

    /** {@return the removal of the disruption budget with this UID} */
    public static ClusterEvent budgetGone(String uid) {
        return new ClusterEvent.BudgetGone(uid);
    }

    /** {@return the event of a new or changed disruption budget in {@value Facts#NAMESPACE}, with its name as UID} */
    public static ClusterEvent budgetChanged(String name, LabelSelector selector, int disruptionsAllowed) {
        return new ClusterEvent.BudgetChanged(new DisruptionBudget(
                name, new NamespacedName(Facts.NAMESPACE, name), Optional.of(selector), disruptionsAllowed));
    }

    /** {@return the event of a new or changed CSINode; a limit of -1 means that the driver has none} */
    public static ClusterEvent csiNodeChanged(String node, Map<String, Integer> limits) {
        return new ClusterEvent.CsiNodeChanged(new CsiNode(
                node,
                limits.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                entry -> entry.getValue() < 0
                                        ? OptionalInt.empty()
                                        : OptionalInt.of(entry.getValue())))));
    }

    /**
     * {@return the event of a new or changed quota in {@value Facts#NAMESPACE}, with its name as UID}
     *
     * @param scopes the scopes, if any
     */
    public static ClusterEvent quotaChanged(String name, String resource, int hard, int used, String... scopes) {
        return new ClusterEvent.QuotaChanged(new ResourceQuota(
                name,
                new NamespacedName(Facts.NAMESPACE, name),
                Set.of(scopes),
                Map.of(resource, BigDecimal.valueOf(hard)),
                Map.of(resource, BigDecimal.valueOf(used))));
    }

    /** {@return the event of a new or changed LimitRange in {@value Facts#NAMESPACE}, with its name as UID} */
    public static ClusterEvent limitRangeChanged(String name, LimitRange.Item... items) {
        return new ClusterEvent.LimitRangeChanged(
                new LimitRange(name, new NamespacedName(Facts.NAMESPACE, name), List.of(items)));
    }

    /**
     * {@return the event of a new or changed LimitRange {@code defaults}, with defaults for containers in millicores}
     */
    public static ClusterEvent defaultCpuChanged(long request, long limit) {
        return limitRangeChanged(
                "defaults",
                new LimitRange.Item(
                        LimitRange.Type.CONTAINER,
                        Map.of(),
                        Map.of(),
                        Map.of("cpu", limit),
                        Map.of("cpu", request),
                        Map.of()));
    }

    /** {@return the event of a new or changed budget that would allow no eviction even if all its pods were healthy} */
    public static ClusterEvent budgetNeverAllows(String name, LabelSelector selector) {
        return new ClusterEvent.BudgetChanged(
                new DisruptionBudget(name, new NamespacedName(Facts.NAMESPACE, name), Optional.of(selector), 0, true));
    }
}
