package dev.holdfast.policies.model;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A read-only view of the cluster at one moment.
 *
 * <p>Shape: nodes are ordered by name; pods and namespaces have no defined order. No decision may depend on the order
 * of pods or namespaces, so that the same objects always give the same result. The returned collections are live views,
 * so read them before the cluster changes.
 */
public interface ClusterView {
    /** {@return the node of this name} */
    Optional<Node> node(String name);

    /** {@return all nodes, ordered by name} */
    Collection<Node> nodes();

    /** {@return the node of this name that exists, but has more than Holdfast reads; then {@link #node} is empty} */
    default Optional<Node> unreadNode(String name) {
        return unreadNodes().stream().filter(node -> node.name().equals(name)).findFirst();
    }

    /**
     * {@return the nodes that have more than Holdfast reads, ordered by name; {@link #nodes} does not have them} The
     * labels, taints and resources of such nodes are unknown.
     */
    Collection<Node> unreadNodes();

    /** {@return the namespace of this name} */
    Optional<Namespace> namespace(String name);

    /** {@return all namespaces} */
    Collection<Namespace> namespaces();

    /** {@return the pod with this UID} */
    Optional<Pod> pod(String uid);

    /** {@return all pods} */
    Collection<Pod> pods();

    /** {@return the pods of one namespace} */
    Collection<Pod> podsIn(String namespace);

    /** {@return all pods whose labels match; pods with equal labels may share one call of the predicate} */
    default Iterable<Pod> podsWith(Predicate<Labels> labels) {
        return () -> pods().stream().filter(pod -> labels.test(pod.labels())).iterator();
    }

    /** {@return the namespaces whose own labels were not read} */
    default List<Namespace> namespacesWithUnreadLabels() {
        return namespaces().stream()
                .filter(namespace -> namespace.labels().areUnread())
                .toList();
    }

    /** {@return all pods whose labels were not read; see {@link Labels#unread}} */
    default Iterable<Pod> podsWithUnreadLabels() {
        return podsWith(Labels::areUnread);
    }

    /** {@return the pods of one namespace whose labels were not read} */
    default Iterable<Pod> podsWithUnreadLabels(String namespace) {
        return podsIn(namespace, Labels::areUnread);
    }

    /** {@return the pods of one namespace whose labels match; see {@link #podsWith}} */
    default Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
        return () -> podsIn(namespace).stream()
                .filter(pod -> labels.test(pod.labels()))
                .iterator();
    }

    /** {@return the pods bound to one node, including finished ones} */
    Collection<Pod> podsOn(String node);

    /**
     * {@return the workload object of a namespace with this UID, for example a ReplicaSet; empty if it is in another
     * namespace} The garbage collector of Kubernetes does not follow references across namespaces either. Whoever may
     * create a pod can write any UID into its owner references.
     */
    Optional<Owner> owner(String namespace, String uid);

    /** {@return the workload objects of a namespace, for example its ReplicaSets} */
    Collection<Owner> ownersIn(String namespace);

    /** {@return the CSI drivers of the node of this name; empty if the node has no CSINode object} */
    Optional<CsiNode> csiNode(String node);

    /** {@return the ResourceQuotas of a namespace} */
    Collection<ResourceQuota> quotasIn(String namespace);

    /** {@return the LimitRanges of a namespace, in no particular order} */
    Collection<LimitRange> limitRangesIn(String namespace);

    /** {@return the PodDisruptionBudgets of a namespace, in no particular order; empty if the view has none} */
    default Collection<DisruptionBudget> budgetsIn(String namespace) {
        return List.of();
    }

    /**
     * {@return whether the pod is counted on a node that has more than Holdfast reads, so that its domains are unknown}
     */
    default boolean isOnUnreadNode(Pod pod) {
        return pod.counts() && pod.nodeName().flatMap(this::unreadNode).isPresent();
    }

    /**
     * {@return the node on which the scheduler counts the pod; empty if the pod is unbound or finished, or if its node
     * does not exist (W-1 to W-3)}
     */
    default Optional<Node> countedNode(Pod pod) {
        return pod.counts() ? pod.nodeName().flatMap(this::node) : Optional.empty();
    }
}
