package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.List;
import java.util.Optional;

/** Builders for hard topology spread constraints and their traits. */
public final class Spreads {
    private Spreads() {}

    /** {@return a constraint with these traits, and with the defaults of the Kubernetes API for all other fields} */
    public static TopologySpreadConstraint maxSkew(
            int maxSkew, String topologyKey, LabelSelector labelSelector, SpreadTrait... traits) {
        return with(TopologySpreadConstraint.of(maxSkew, topologyKey, labelSelector), traits);
    }

    /** {@return a constraint without labelSelector, which counts no pod} */
    public static TopologySpreadConstraint maxSkewOfNoPod(int maxSkew, String topologyKey, SpreadTrait... traits) {
        return with(
                new TopologySpreadConstraint(
                        maxSkew,
                        topologyKey,
                        Optional.empty(),
                        1,
                        NodeInclusionPolicy.HONOR,
                        NodeInclusionPolicy.IGNORE,
                        List.of()),
                traits);
    }

    private static TopologySpreadConstraint with(TopologySpreadConstraint plain, SpreadTrait... traits) {
        TopologySpreadConstraint constraint = plain;
        for (SpreadTrait trait : traits) {
            constraint = trait.of(constraint);
        }
        return constraint;
    }

    /** {@return the trait of minDomains; by default it is 1} */
    public static SpreadTrait minDomains(int minDomains) {
        return plain -> new TopologySpreadConstraint(
                plain.maxSkew(),
                plain.topologyKey(),
                plain.labelSelector(),
                minDomains,
                plain.nodeAffinityPolicy(),
                plain.nodeTaintsPolicy(),
                plain.matchLabelKeys());
    }

    /** {@return the trait of nodeAffinityPolicy {@code Ignore}; by default it is {@code Honor}} */
    public static SpreadTrait ignoringNodeAffinity() {
        return plain -> new TopologySpreadConstraint(
                plain.maxSkew(),
                plain.topologyKey(),
                plain.labelSelector(),
                plain.minDomains(),
                NodeInclusionPolicy.IGNORE,
                plain.nodeTaintsPolicy(),
                plain.matchLabelKeys());
    }

    /** {@return the trait of nodeTaintsPolicy {@code Honor}; by default it is {@code Ignore}} */
    public static SpreadTrait honoringTaints() {
        return plain -> new TopologySpreadConstraint(
                plain.maxSkew(),
                plain.topologyKey(),
                plain.labelSelector(),
                plain.minDomains(),
                plain.nodeAffinityPolicy(),
                NodeInclusionPolicy.HONOR,
                plain.matchLabelKeys());
    }

    /** {@return the trait of matchLabelKeys: only pods with the rule owner's values for these keys are counted} */
    public static SpreadTrait perValueOf(String... matchLabelKeys) {
        return plain -> new TopologySpreadConstraint(
                plain.maxSkew(),
                plain.topologyKey(),
                plain.labelSelector(),
                plain.minDomains(),
                plain.nodeAffinityPolicy(),
                plain.nodeTaintsPolicy(),
                List.of(matchLabelKeys));
    }
}
