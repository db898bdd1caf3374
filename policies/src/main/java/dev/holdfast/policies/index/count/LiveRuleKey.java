package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.SpreadDomains;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The key of a {@link LiveRule}: everything that its verdicts depend on, except where pods run. Pods with equal keys
 * share the live rule. The hash code is cached, because a rule may list thousands of values.
 */
final class LiveRuleKey {
    private final Rule rule;
    private final Optional<String> namespace;
    private final Optional<SpreadDomains> counting;
    private final int hash;

    /**
     * @param rule the rule, with label keys such as {@code matchLabelKeys} merged into its selectors
     * @param namespace the namespace of the rule owner, if the rule selects pods of that namespace; else absent
     * @param counting on which nodes pods are counted; absent unless the rule is a spread constraint
     */
    private LiveRuleKey(Rule rule, Optional<String> namespace, Optional<SpreadDomains> counting) {
        this.rule = rule;
        this.namespace = namespace;
        this.counting = counting;
        this.hash = Objects.hash(rule, namespace, counting);
    }

    /** {@return the key of a rule for rule owners with this scheduling, namespace and labels} */
    static LiveRuleKey of(Rule rule, Scheduling owner, String namespace, Labels labels) {
        return switch (rule.mergedFor(labels)) {
            case Rule.OfNode node -> new LiveRuleKey(node, Optional.empty(), Optional.empty());
            case Rule.PodAffinity(List<PodAffinityTerm> terms)
            when terms.stream().noneMatch(LiveRuleKey::isOwn) ->
                new LiveRuleKey(new Rule.PodAffinity(terms), Optional.empty(), Optional.empty());
            case Rule.PodAffinity affinity -> new LiveRuleKey(affinity, Optional.of(namespace), Optional.empty());
            case Rule.PodAntiAffinity anti ->
                new LiveRuleKey(anti, Optional.of(namespace).filter(_ -> isOwn(anti.term())), Optional.empty());
            case Rule.TopologySpread spread ->
                new LiveRuleKey(
                        resolved(spread, labels), Optional.of(namespace), Optional.of(SpreadDomains.of(spread, owner)));
        };
    }

    private static boolean isOwn(PodAffinityTerm term) {
        return term.namespaces().isEmpty() && term.namespaceSelector().isEmpty();
    }

    /**
     * {@return the constraint in the form that is equal for constraints with the same counts} {@code matchLabelKeys}
     * are merged into the selector. The inclusion policies are replaced by constants, because {@link #counting}
     * contains their effect.
     */
    private static Rule resolved(Rule.TopologySpread spread, Labels labels) {
        TopologySpreadConstraint written = spread.constraint();
        return new Rule.TopologySpread(
                new TopologySpreadConstraint(
                        written.maxSkew(),
                        written.topologyKey(),
                        written.selectorFor(labels),
                        written.minDomains(),
                        NodeInclusionPolicy.IGNORE,
                        NodeInclusionPolicy.IGNORE,
                        List.of()),
                spread.requiredKeys());
    }

    /** {@return the rule with label keys such as {@code matchLabelKeys} merged into its selectors} */
    Rule rule() {
        return rule;
    }

    /** {@return on which nodes a spread constraint counts pods; throws NoSuchElementException for other rules} */
    SpreadDomains counting() {
        return counting.orElseThrow();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LiveRuleKey that
                && hash == that.hash
                && rule.equals(that.rule)
                && namespace.equals(that.namespace)
                && counting.equals(that.counting);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
