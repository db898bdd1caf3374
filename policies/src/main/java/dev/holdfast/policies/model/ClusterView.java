package dev.holdfast.policies.model;

import java.util.Collection;
import java.util.Optional;

/**
 * The cluster as known at one moment. Collections are in a fixed order (nodes and namespaces by name, pods by UID), so
 * that the same facts give the same answers whatever order they came in.
 */
public interface ClusterView {
    /** {@return the node of this name} */
    Optional<Node> node(String name);

    /** {@return all nodes, by name} */
    Collection<Node> nodes();

    /** {@return the namespace of this name} */
    Optional<Namespace> namespace(String name);

    /** {@return all namespaces, by name} */
    Collection<Namespace> namespaces();

    /** {@return the pod with this UID} */
    Optional<Pod> pod(String uid);

    /** {@return all pods, by UID} */
    Collection<Pod> pods();

    /** {@return the pods of one namespace, by UID} */
    Collection<Pod> podsIn(String namespace);

    /** {@return the pods bound to one node, by UID, finished ones too} */
    Collection<Pod> podsOn(String node);

    /** {@return the owner with this UID} */
    Optional<Owner> owner(String uid);

    /** {@return the node a pod counts on: it is bound there, has not finished, and the node exists (W-1 to W-3)} */
    default Optional<Node> nodeCounting(Pod pod) {
        return pod.counts() ? pod.nodeName().flatMap(this::node) : Optional.empty();
    }
}
