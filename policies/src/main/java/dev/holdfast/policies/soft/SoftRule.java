package dev.holdfast.policies.soft;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.Preferences.Weighted;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.score.SpreadDefaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One preference of a pod, in the form of a required rule that a person can check.
 *
 * @param rule the required rule with the same content. The preference is unmet where this rule would be violated
 * @param weight the points of a preferred term, 1 to 100; 0 for a spread constraint, which has none
 */
public record SoftRule(SoftRuleKind kind, Rule rule, int weight) {
    /**
     * {@return the soft rules of a pod, in the order node, affinity, anti-affinity, spread}
     *
     * <p>Terms that the scheduler drops are left out: those of weight 0, and node terms without requirements (SC-NA-3).
     *
     * @param defaults the constraints of pods that have none of their own
     */
    public static List<SoftRule> of(Pod pod, SpreadDefaults defaults) {
        Preferences preferences = pod.scheduling().preferences();
        List<SoftRule> rules = new ArrayList<>();
        for (Weighted<NodeSelectorTerm> term : preferences.nodeAffinity()) {
            if (term.weight() > 0 && !term.term().isEmpty()) {
                Rule rule = new Rule.NodeAffinity(Labels.none(), Optional.of(new NodeSelector(List.of(term.term()))));
                rules.add(new SoftRule(SoftRuleKind.PREFERRED_NODE_AFFINITY, rule, term.weight()));
            }
        }
        for (Weighted<PodAffinityTerm> term : preferences.podAffinity()) {
            if (term.weight() > 0) {
                Rule rule = new Rule.PodAffinity(List.of(term.term().alreadyMerged()));
                rules.add(new SoftRule(SoftRuleKind.PREFERRED_POD_AFFINITY, rule, term.weight()));
            }
        }
        for (Weighted<PodAffinityTerm> term : preferences.podAntiAffinity()) {
            if (term.weight() > 0) {
                Rule rule = new Rule.PodAntiAffinity(term.term().alreadyMerged());
                rules.add(new SoftRule(SoftRuleKind.PREFERRED_POD_ANTI_AFFINITY, rule, term.weight()));
            }
        }
        List<TopologySpreadConstraint> spreads = defaults.softConstraintsOf(pod);
        // Without constraints of its own, a pod is spread over nodes that lack keys too.
        List<String> keys = preferences.topologySpread().isEmpty() && defaults.everyNode()
                ? List.of()
                : spreads.stream().map(TopologySpreadConstraint::topologyKey).toList();
        for (TopologySpreadConstraint spread : spreads) {
            rules.add(new SoftRule(SoftRuleKind.SOFT_TOPOLOGY_SPREAD, new Rule.TopologySpread(spread, keys), 0));
        }
        return rules;
    }

    /** {@return what the rule prefers, as text for messages: {@code disk In [ssd], weight 50}} */
    public String describe() {
        return rule.describe() + (weight == 0 ? "" : ", weight " + weight);
    }
}
