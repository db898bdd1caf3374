package dev.holdfast.policies.model;

import java.util.List;
import java.util.Optional;

/**
 * The part of a pod's spec that says where it may run. Immutable once the pod is bound, but for added tolerations;
 * equal for all pods of a template, so instances are worth sharing.
 *
 * @param nodeSelector every pair must be on the node
 * @param nodeAffinity the required terms; absent is no constraint, present without terms matches no node (NA-1)
 * @param podAffinity the required terms, in the order written
 * @param podAntiAffinity the required terms, in the order written
 * @param topologySpread the hard constraints, in the order written
 */
public record Scheduling(
        Labels nodeSelector,
        Optional<NodeSelector> nodeAffinity,
        List<PodAffinityTerm> podAffinity,
        List<PodAffinityTerm> podAntiAffinity,
        List<TopologySpreadConstraint> topologySpread,
        List<Toleration> tolerations) {
    private static final Scheduling ANYWHERE =
            new Scheduling(Labels.none(), Optional.empty(), List.of(), List.of(), List.of(), List.of());

    public Scheduling {
        podAffinity = List.copyOf(podAffinity);
        podAntiAffinity = List.copyOf(podAntiAffinity);
        topologySpread = List.copyOf(topologySpread);
        tolerations = List.copyOf(tolerations);
    }

    /** {@return the spec of a pod that may run anywhere} */
    public static Scheduling anywhere() {
        return ANYWHERE;
    }
}
