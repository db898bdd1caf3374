package dev.holdfast.policies.model;

import java.util.List;
import java.util.Optional;

/**
 * What a pod prefers, as written and in the order written. The scheduler places the pod also where none of it holds.
 *
 * @param nodeAffinity the preferred node selector terms; one that cannot be parsed stays, because the scheduler then
 *     refuses to score the pod
 * @param podAffinity the preferred affinity terms
 * @param podAntiAffinity the preferred anti-affinity terms
 * @param topologySpread the soft spread constraints ({@code ScheduleAnyway}); minDomains is 1, since only hard ones
 *     have it
 * @param unread why the preferences were not read, so that the lists are empty; absent if they were
 */
public record Preferences(
        List<Weighted<NodeSelectorTerm>> nodeAffinity,
        List<Weighted<PodAffinityTerm>> podAffinity,
        List<Weighted<PodAffinityTerm>> podAntiAffinity,
        List<TopologySpreadConstraint> topologySpread,
        Optional<String> unread) {
    private static final Preferences NONE = new Preferences(List.of(), List.of(), List.of(), List.of());

    public Preferences {
        nodeAffinity = List.copyOf(nodeAffinity);
        podAffinity = List.copyOf(podAffinity);
        podAntiAffinity = List.copyOf(podAntiAffinity);
        topologySpread = List.copyOf(topologySpread);
    }

    /** Preferences that were read. */
    public Preferences(
            List<Weighted<NodeSelectorTerm>> nodeAffinity,
            List<Weighted<PodAffinityTerm>> podAffinity,
            List<Weighted<PodAffinityTerm>> podAntiAffinity,
            List<TopologySpreadConstraint> topologySpread) {
        this(nodeAffinity, podAffinity, podAntiAffinity, topologySpread, Optional.empty());
    }

    /** {@return the preferences of a pod that has more of them than Holdfast reads} */
    public static Preferences unread(String why) {
        return new Preferences(List.of(), List.of(), List.of(), List.of(), Optional.of(why));
    }

    /**
     * A preferred term.
     *
     * @param weight the points that a node gets for the term: 1 to 100
     * @param <T> the type of the term
     */
    public record Weighted<T>(int weight, T term) {}

    /** {@return the preferences of a pod that prefers nothing, always the same instance} */
    public static Preferences none() {
        return NONE;
    }

    /** {@return these preferences, or the shared instance if they are empty, so that they take no memory} */
    public Preferences shared() {
        return isEmpty() ? NONE : this;
    }

    /** {@return whether the pod prefers nothing} */
    public boolean isEmpty() {
        return nodeAffinity.isEmpty() && !hasPodTerms() && topologySpread.isEmpty() && unread.isEmpty();
    }

    /** {@return whether the pod prefers to be near other pods, or apart from them} */
    public boolean hasPodTerms() {
        return !podAffinity.isEmpty() || !podAntiAffinity.isEmpty();
    }

    /** {@return these preferences as the API server stores them for a pod with these labels (PA-7)} */
    Preferences storedFor(Labels labels) {
        return hasPodTerms()
                ? new Preferences(
                        nodeAffinity,
                        storedFor(podAffinity, labels),
                        storedFor(podAntiAffinity, labels),
                        topologySpread)
                : this;
    }

    private static List<Weighted<PodAffinityTerm>> storedFor(List<Weighted<PodAffinityTerm>> terms, Labels labels) {
        return terms.stream()
                .map(it -> new Weighted<>(it.weight(), it.term().storedFor(labels)))
                .toList();
    }
}
