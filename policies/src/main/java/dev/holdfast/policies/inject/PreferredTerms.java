package dev.holdfast.policies.inject;

import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.List;

/**
 * The terms in a pod's spec that the scheduler prefers with the largest weight, 100, and its soft spread constraints
 * ({@code ScheduleAnyway}). Rules of policies that are required only where possible are injected as such terms.
 * Holdfast holds no pod to them.
 *
 * @param nodeAffinity the preferred node selector terms, in the order written
 * @param podAffinity the preferred affinity terms, in the order written
 * @param podAntiAffinity the preferred anti-affinity terms, in the order written
 * @param topologySpread the soft spread constraints, in the order written; minDomains is 1, since only hard ones have
 *     it
 */
public record PreferredTerms(
        List<NodeSelectorTerm> nodeAffinity,
        List<PodAffinityTerm> podAffinity,
        List<PodAffinityTerm> podAntiAffinity,
        List<TopologySpreadConstraint> topologySpread) {
    private static final PreferredTerms NONE = new PreferredTerms(List.of(), List.of(), List.of(), List.of());

    public PreferredTerms {
        nodeAffinity = List.copyOf(nodeAffinity);
        podAffinity = List.copyOf(podAffinity);
        podAntiAffinity = List.copyOf(podAntiAffinity);
        topologySpread = List.copyOf(topologySpread);
    }

    /** {@return the preferred terms of a pod that prefers nothing with this weight} */
    public static PreferredTerms none() {
        return NONE;
    }

    PreferredTerms withNodeAffinity(List<NodeSelectorTerm> terms) {
        return new PreferredTerms(terms, podAffinity, podAntiAffinity, topologySpread);
    }

    PreferredTerms withPodAffinity(List<PodAffinityTerm> terms) {
        return new PreferredTerms(nodeAffinity, terms, podAntiAffinity, topologySpread);
    }

    PreferredTerms withPodAntiAffinity(List<PodAffinityTerm> terms) {
        return new PreferredTerms(nodeAffinity, podAffinity, terms, topologySpread);
    }

    PreferredTerms withTopologySpread(List<TopologySpreadConstraint> constraints) {
        return new PreferredTerms(nodeAffinity, podAffinity, podAntiAffinity, constraints);
    }
}
