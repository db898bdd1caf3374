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
import dev.holdfast.policies.rule.Policy.NamedRule;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    private final List<String> namespaces;

    WorldPolicies(List<String> namespaces) {
        this.namespaces = namespaces;
    }

    List<Policy> all() {
        List<Policy> policies = new ArrayList<>();
        policies.add(ofCluster("audit", LabelSelector.everything(), ownRules(), List.of()));
        policies.add(ofCluster(
                "critical-apart-from-noisy",
                having("tier", "critical"),
                Map.of(),
                List.of(rule(new Rule.PodAntiAffinity(inAnyNamespace(having("tier", "noisy")))))));
        for (int i = 0; i < namespaces.size(); i += ONE_IN) {
            RuleKind kind = KINDS.get(i / ONE_IN % KINDS.size());
            policies.add(ofNamespace(namespaces.get(i), furtherRule(kind)));
        }
        return policies;
    }

    /**
     * {@return a ClusterPlacementPolicy that holds all pods in audited namespaces to one rule of this kind} Nearly all
     * of these pods satisfy the rule.
     */
    static Policy further(RuleKind kind) {
        return ofCluster("further", LabelSelector.everything(), Map.of(), List.of(rule(furtherRule(kind))));
    }

    private static Rule furtherRule(RuleKind kind) {
        return switch (kind) {
            case NODE_AFFINITY -> onLinux();
            case POD_AFFINITY ->
                new Rule.PodAffinity(List.of(PodAffinityTerm.of(having("tier", "web"), WorldNodes.ZONE)));
            case POD_ANTI_AFFINITY ->
                new Rule.PodAntiAffinity(PodAffinityTerm.of(having("tier", "critical"), WorldNodes.HOST));
            case TOPOLOGY_SPREAD ->
                new Rule.TopologySpread(
                        TopologySpreadConstraint.of(2, WorldNodes.ZONE, having("tier", "critical")), List.of());
        };
    }

    private static PodAffinityTerm inAnyNamespace(LabelSelector pods) {
        return new PodAffinityTerm(
                Optional.of(pods),
                List.of(),
                Optional.of(LabelSelector.everything()),
                WorldNodes.HOST,
                List.of(),
                List.of());
    }

    private static Rule onLinux() {
        return new Rule.NodeAffinity(
                Labels.none(),
                Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(
                        List.of(new Requirement("kubernetes.io/os", "In", List.of("linux"))), List.of())))));
    }

    private static NamedRule rule(Rule rule) {
        return new NamedRule("further", rule, AUDIT);
    }

    private static Map<RuleKind, Enforcement> ownRules() {
        Map<RuleKind, Enforcement> kinds = new EnumMap<>(RuleKind.class);
        for (RuleKind kind : RuleKind.values()) {
            kinds.put(kind, AUDIT);
        }
        return kinds;
    }

    private static Policy ofCluster(
            String name, LabelSelector pods, Map<RuleKind, Enforcement> podRules, List<NamedRule> rules) {
        return new Policy(
                PolicyId.cluster(name),
                1,
                Mode.AUDIT,
                matcher(pods),
                Optional.empty(),
                Optional.of(matcher(having(World.AUDITED, "yes"))),
                podRules,
                rules);
    }

    private static Policy ofNamespace(String namespace, Rule rule) {
        return new Policy(
                PolicyId.namespaced(namespace, "further"),
                1,
                Mode.AUDIT,
                matcher(LabelSelector.everything()),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                List.of(rule(rule)));
    }

    private static LabelSelector having(String key, String value) {
        return new LabelSelector(Labels.of(key, value), List.of());
    }

    static LabelMatcher matcher(LabelSelector selector) {
        return switch (LabelMatcher.of(Optional.of(selector))) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher>(String why) -> throw new IllegalStateException(why);
        };
    }
}
