package dev.holdfast.policies.model;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The scheduling constraints in a pod's spec. After binding, only tolerations can be added to them. Pods of one
 * template have equal constraints, so instances are shared.
 *
 * <p>It is a class and not a record because every new pod leads to a lookup by this value: the class computes its hash
 * only once.
 */
public final class Scheduling {
    private static final Scheduling ANYWHERE =
            new Scheduling(Labels.none(), Optional.empty(), List.of(), List.of(), List.of(), List.of());

    private final Labels nodeSelector;
    private final Optional<NodeSelector> nodeAffinity;
    private final List<PodAffinityTerm> podAffinity;
    private final List<PodAffinityTerm> podAntiAffinity;
    private final List<TopologySpreadConstraint> topologySpread;
    private final List<Toleration> tolerations;

    /** 0 until it is computed. */
    private int hash;

    /**
     * @param nodeSelector pairs that must all be on the node
     * @param nodeAffinity the required terms; absent is no constraint, present without terms matches no node (NA-1)
     * @param podAffinity the required terms, in the order written
     * @param podAntiAffinity the required terms, in the order written
     * @param topologySpread the hard constraints, in the order written
     */
    public Scheduling(
            Labels nodeSelector,
            Optional<NodeSelector> nodeAffinity,
            List<PodAffinityTerm> podAffinity,
            List<PodAffinityTerm> podAntiAffinity,
            List<TopologySpreadConstraint> topologySpread,
            List<Toleration> tolerations) {
        this.nodeSelector = nodeSelector;
        this.nodeAffinity = nodeAffinity;
        this.podAffinity = List.copyOf(podAffinity);
        this.podAntiAffinity = List.copyOf(podAntiAffinity);
        this.topologySpread = List.copyOf(topologySpread);
        this.tolerations = List.copyOf(tolerations);
    }

    /** {@return the constraints of a pod that may run on any node} */
    public static Scheduling anywhere() {
        return ANYWHERE;
    }

    /** {@return pairs that must all be on the node} */
    public Labels nodeSelector() {
        return nodeSelector;
    }

    /** {@return the required terms; absent is no constraint, present without terms matches no node (NA-1)} */
    public Optional<NodeSelector> nodeAffinity() {
        return nodeAffinity;
    }

    /** {@return the required terms, in the order written} */
    public List<PodAffinityTerm> podAffinity() {
        return podAffinity;
    }

    /** {@return the required terms, in the order written} */
    public List<PodAffinityTerm> podAntiAffinity() {
        return podAntiAffinity;
    }

    /** {@return the hard constraints, in the order written} */
    public List<TopologySpreadConstraint> topologySpread() {
        return topologySpread;
    }

    /** {@return the tolerations, in the order written} */
    public List<Toleration> tolerations() {
        return tolerations;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Scheduling that
                        && nodeSelector.equals(that.nodeSelector)
                        && nodeAffinity.equals(that.nodeAffinity)
                        && podAffinity.equals(that.podAffinity)
                        && podAntiAffinity.equals(that.podAntiAffinity)
                        && topologySpread.equals(that.topologySpread)
                        && tolerations.equals(that.tolerations));
    }

    @Override
    public int hashCode() {
        // Read once: another thread may compute it at the same time.
        int known = hash;
        if (known == 0) {
            known = Objects.hash(nodeSelector, nodeAffinity, podAffinity, podAntiAffinity, topologySpread, tolerations);
            hash = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return "Scheduling[nodeSelector=" + nodeSelector + ", nodeAffinity=" + nodeAffinity + ", podAffinity="
                + podAffinity + ", podAntiAffinity=" + podAntiAffinity + ", topologySpread=" + topologySpread
                + ", tolerations=" + tolerations + "]";
    }
}
