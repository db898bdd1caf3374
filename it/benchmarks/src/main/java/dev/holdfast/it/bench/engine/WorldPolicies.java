package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The policies of a generated cluster. They select pods only in namespaces with the label {@code audited=yes}. One
 * ClusterPlacementPolicy selects all of these pods, for all four kinds of rules in the pods' own spec. Another one
 * keeps critical pods away from nodes with noisy pods. Every tenth of these namespaces also has a PlacementPolicy with
 * one rule of its own.
 */
final class WorldPolicies {
    private static final int ONE_IN = 10;
    private static final List<RuleKind> KINDS = List.of(RuleKind.values());
    private static final Enforcement AUDIT = new Enforcement(Mode.AUDIT, Duration.ofMinutes(5), WhenInfeasible.WAIT);

    private WorldPolicies() {}

    /** {@return the policies of a cluster with these audited namespaces} */
    static List<Policy> of(List<String> namespaces) {
        Rule apartFromNoisy = new Rule.PodAntiAffinity(new PodAffinityTerm(
                Optional.of(having("tier", "noisy")),
                List.of(),
                Optional.of(LabelSelector.everything()),
                WorldNodes.HOST,
                List.of(),
                List.of()));
        List<Policy> policies = new ArrayList<>();
        policies.add(policy(
                PolicyId.cluster("audit"),
                LabelSelector.everything(),
                KINDS.stream().collect(Collectors.toMap(kind -> kind, _ -> AUDIT)),
                List.of()));
        policies.add(policy(
                PolicyId.cluster("critical-apart-from-noisy"),
                having("tier", "critical"),
                Map.of(),
                List.of(apartFromNoisy)));
        for (int i = 0; i < namespaces.size(); i += ONE_IN) {
            PolicyId id = PolicyId.namespaced(namespaces.get(i), "further");
            policies.add(further(id, KINDS.get(i / ONE_IN % KINDS.size())));
        }
        return policies;
    }

    /**
     * {@return a ClusterPlacementPolicy that holds all pods in audited namespaces to one rule of this kind} Nearly all
     * of these pods satisfy the rule.
     */
    static Policy further(RuleKind kind) {
        return further(PolicyId.cluster("further"), kind);
    }

    private static Policy further(PolicyId id, RuleKind kind) {
        Rule rule = switch (kind) {
            case NODE_AFFINITY -> nodeIn("kubernetes.io/os", "linux");
            case POD_AFFINITY ->
                new Rule.PodAffinity(List.of(PodAffinityTerm.of(having("tier", "web"), WorldNodes.ZONE)));
            case POD_ANTI_AFFINITY ->
                new Rule.PodAntiAffinity(PodAffinityTerm.of(having("tier", "critical"), WorldNodes.HOST));
            case TOPOLOGY_SPREAD ->
                new Rule.TopologySpread(
                        TopologySpreadConstraint.of(2, WorldNodes.ZONE, having("tier", "critical")), List.of());
        };
        return policy(id, LabelSelector.everything(), Map.of(), List.of(rule));
    }

    /** {@return a rule that allows only nodes with one of these label values} */
    static Rule nodeIn(String key, String... values) {
        return new Rule.NodeAffinity(Labels.none(), Optional.of(nodesIn(key, values)));
    }

    static NodeSelector nodesIn(String key, String... values) {
        return new NodeSelector(
                List.of(new NodeSelectorTerm(List.of(new Requirement(key, "In", List.of(values))), List.of())));
    }

    private static Policy policy(
            PolicyId id, LabelSelector pods, Map<RuleKind, Enforcement> podRules, List<Rule> rules) {
        return new Policy(
                id,
                1,
                Mode.AUDIT,
                matcher(pods),
                Optional.empty(),
                id.namespace().isEmpty() ? Optional.of(matcher(having(World.AUDITED, "yes"))) : Optional.empty(),
                podRules,
                rules.stream()
                        .map(rule -> new Policy.NamedRule("further", rule, AUDIT))
                        .toList());
    }

    static LabelSelector having(String key, String value) {
        return new LabelSelector(Labels.of(key, value), List.of());
    }

    static LabelMatcher matcher(LabelSelector selector) {
        return switch (LabelMatcher.of(Optional.of(selector))) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher>(String why) -> throw new IllegalStateException(why);
        };
    }
}
