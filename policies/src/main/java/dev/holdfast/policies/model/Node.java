package dev.holdfast.policies.model;

import java.util.List;
import java.util.Optional;

/**
 * A node as the API server reports it.
 *
 * @param unschedulable whether the node is cordoned
 * @param allocatable the resources that all pods on the node together may request
 * @param tooComplex what the node has too much of, so that its labels and taints were not read; empty if they were
 */
public record Node(
        String name,
        String uid,
        long resourceVersion,
        Labels labels,
        List<Taint> taints,
        boolean unschedulable,
        NodeLifecycle life,
        Resources allocatable,
        Optional<String> tooComplex) {
    public Node {
        taints = List.copyOf(taints);
    }

    /** Creates a node whose labels and taints were read. */
    public Node(
            String name,
            String uid,
            long resourceVersion,
            Labels labels,
            List<Taint> taints,
            boolean unschedulable,
            NodeLifecycle life,
            Resources allocatable) {
        this(name, uid, resourceVersion, labels, taints, unschedulable, life, allocatable, Optional.empty());
    }

    /** {@return the same node with other labels} */
    public Node withLabels(Labels other) {
        return new Node(name, uid, resourceVersion, other, taints, unschedulable, life, allocatable, tooComplex);
    }

    /** {@return whether an earlier version of the node differs from this one only in its resourceVersion} */
    public boolean sameExceptVersion(Node before) {
        return uid.equals(before.uid)
                && unschedulable == before.unschedulable
                && life.equals(before.life)
                && taints.equals(before.taints)
                && labels.equals(before.labels)
                && allocatable.equals(before.allocatable);
    }

    /** {@return whether the condition {@code Ready} is true} */
    public boolean ready() {
        return life.ready();
    }
}
