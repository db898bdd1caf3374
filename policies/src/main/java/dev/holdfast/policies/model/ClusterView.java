package dev.holdfast.policies.model;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A read-only view of the cluster at one moment.
 *
 * <p>Shape: nodes are ordered by name; pods and namespaces have no defined order. A caller must not let their order
 * decide anything, so that the same objects give the same result for any order of events. Collections are live views;
 * read them before the next change.
 */
public interface ClusterView {
    /** {@return the node of this name} */
    Optional<Node> node(String name);

    /** {@return all nodes, ordered by name} */
    Collection<Node> nodes();

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

    /** {@return all pods whose labels match; the predicate may be called once for equal labels of many pods} */
    default Iterable<Pod> podsWith(Predicate<Labels> labels) {
        return () -> pods().stream().filter(pod -> labels.test(pod.labels())).iterator();
    }

    /** {@return the pods of one namespace whose labels match; see {@link #podsWith}} */
    default Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
        return () -> podsIn(namespace).stream()
                .filter(pod -> labels.test(pod.labels()))
                .iterator();
    }

    /** {@return the pods bound to one node, including finished ones} */
    Collection<Pod> podsOn(String node);

    /** {@return the owner with this UID} */
    Optional<Owner> owner(String uid);

    /** {@return the node on which the pod counts; empty if unbound, finished or the node is missing (W-1 to W-3)} */
    default Optional<Node> nodeCounting(Pod pod) {
        return pod.counts() ? pod.nodeName().flatMap(this::node) : Optional.empty();
    }
}
