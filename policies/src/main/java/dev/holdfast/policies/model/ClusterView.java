package dev.holdfast.policies.model;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The cluster as known at one moment. Nodes are by name; pods and namespaces are in no order, and whoever makes a
 * difference between them must not go by it: the same facts give the same answers whatever order they came in.
 *
 * <p>Collections are windows on what is kept, read before the next change.
 */
public interface ClusterView {
    /** {@return the node of this name} */
    Optional<Node> node(String name);

    /** {@return all nodes, by name} */
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

    /** {@return all pods whose labels pass; labels that many pods share may be asked about once for all of them} */
    default Iterable<Pod> podsWith(Predicate<Labels> labels) {
        return () -> pods().stream().filter(pod -> labels.test(pod.labels())).iterator();
    }

    /** {@return the pods of one namespace whose labels pass, as {@link #podsWith} does of all} */
    default Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
        return () -> podsIn(namespace).stream()
                .filter(pod -> labels.test(pod.labels()))
                .iterator();
    }

    /** {@return the pods bound to one node, finished ones too} */
    Collection<Pod> podsOn(String node);

    /** {@return the owner with this UID} */
    Optional<Owner> owner(String uid);

    /** {@return the node a pod counts on: it is bound there, has not finished, and the node exists (W-1 to W-3)} */
    default Optional<Node> nodeCounting(Pod pod) {
        return pod.counts() ? pod.nodeName().flatMap(this::node) : Optional.empty();
    }
}
