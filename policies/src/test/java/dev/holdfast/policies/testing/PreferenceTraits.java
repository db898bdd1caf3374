package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.Preferences.Weighted;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.List;

/** Traits of what pods in test clusters prefer. Each adds to those of earlier traits. */
public final class PreferenceTraits {
    private PreferenceTraits() {}

    /** {@return the trait of one more preferred node selector term} */
    public static PodTrait preferring(int weight, NodeSelectorTerm term) {
        return pod -> pod.preferences = new Preferences(
                with(pod.preferences.nodeAffinity(), new Weighted<>(weight, term)),
                pod.preferences.podAffinity(),
                pod.preferences.podAntiAffinity(),
                pod.preferences.topologySpread());
    }

    /** {@return the trait of one more preferred term of pod affinity} */
    public static PodTrait preferringNear(int weight, PodAffinityTerm term) {
        return pod -> pod.preferences = new Preferences(
                pod.preferences.nodeAffinity(),
                with(pod.preferences.podAffinity(), new Weighted<>(weight, term)),
                pod.preferences.podAntiAffinity(),
                pod.preferences.topologySpread());
    }

    /** {@return the trait of one more preferred term of pod anti-affinity} */
    public static PodTrait preferringApart(int weight, PodAffinityTerm term) {
        return pod -> pod.preferences = new Preferences(
                pod.preferences.nodeAffinity(),
                pod.preferences.podAffinity(),
                with(pod.preferences.podAntiAffinity(), new Weighted<>(weight, term)),
                pod.preferences.topologySpread());
    }

    /** {@return the trait of one more soft topology spread constraint} */
    public static PodTrait softSpread(TopologySpreadConstraint constraint) {
        return pod -> pod.preferences = new Preferences(
                pod.preferences.nodeAffinity(),
                pod.preferences.podAffinity(),
                pod.preferences.podAntiAffinity(),
                with(pod.preferences.topologySpread(), constraint));
    }

    /** {@return the trait of preferences that are too many to be read} */
    public static PodTrait unreadPreferences(String why) {
        return pod -> pod.preferences = Preferences.unread(why);
    }

    private static <T> List<T> with(List<T> some, T more) {
        List<T> all = new ArrayList<>(some);
        all.add(more);
        return all;
    }
}
