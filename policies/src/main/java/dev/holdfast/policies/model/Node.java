package dev.holdfast.policies.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A node as the API server reports it.
 *
 * @param unschedulable whether the node is cordoned
 * @param allocatable the resources that all pods on the node together may request
 * @param labels if not all were read, only those with one of {@link #KEPT_KEYS}
 * @param tooComplex what the node has too much of, so that its other labels and its taints were not read; empty if they
 *     were
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
    /**
     * The keys of the labels that are read of any node: its name, zone and region
     * (<a href="https://kubernetes.io/docs/reference/labels-annotations-taints/">well-known labels</a>).
     */
    public static final List<String> KEPT_KEYS =
            List.of("kubernetes.io/hostname", "topology.kubernetes.io/region", "topology.kubernetes.io/zone");

    public Node {
        taints = List.copyOf(taints);
        labels = tooComplex.isEmpty() ? labels : kept(labels);
    }

    private static Labels kept(Labels labels) {
        List<String> pairs = new ArrayList<>();
        KEPT_KEYS.forEach(key -> labels.get(key).ifPresent(value -> pairs.addAll(List.of(key, value))));
        return Labels.of(pairs);
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

    /**
     * {@return the known part of this node if it has more than Holdfast reads}
     *
     * @param why what it has too much of
     */
    public Node unread(String why) {
        return new Node(
                name, uid, resourceVersion, labels, List.of(), unschedulable, life, Resources.none(), Optional.of(why));
    }

    /** {@return whether the label with this key was read, so that its presence and value are known} */
    public boolean hasRead(String key) {
        return tooComplex.isEmpty() || KEPT_KEYS.contains(key);
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
