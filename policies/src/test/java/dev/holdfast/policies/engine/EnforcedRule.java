package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;

import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What a cluster policy enforces in the {@link TenantMatrixTest}. The pods {@code web} on node n1 violate it, and only
 * node n2 would take one of them.
 *
 * @param rule the policy's own rule; absent if it is the node selector in the pods' spec
 * @param pods how many pods {@code web} the smallest cluster has in which the rule is broken
 * @param around adds the pods of the same namespace that the rule is about
 */
record EnforcedRule(String name, Optional<Rule> rule, int pods, UnaryOperator<ClusterBuilder> around) {
    /** {@return one rule of each kind, and the node selector in the pods' own spec} */
    static List<EnforcedRule> all() {
        return List.of(
                of("node affinity", nodeSelectorRule("disk", "ssd"), 1, facts -> facts),
                new EnforcedRule("the pods' own node selector", Optional.empty(), 1, facts -> facts),
                of(
                        "pod affinity",
                        affinityRule(term(app("cache"), HOSTNAME)),
                        1,
                        facts -> facts.pod("cache", on("n2"), replicaOf("cache"))),
                of(
                        "pod anti-affinity",
                        antiAffinityRule(term(app("noisy"), HOSTNAME)),
                        1,
                        facts -> facts.pod("noisy", on("n1"), replicaOf("noisy"))),
                of("topology spread", spreadRule(maxSkew(1, HOSTNAME, app("web"))), 2, facts -> facts));
    }

    private static EnforcedRule of(String name, Rule rule, int pods, UnaryOperator<ClusterBuilder> around) {
        return new EnforcedRule(name, Optional.of(rule), pods, around);
    }

    /** {@return the kinds of the pods' own rules that a policy for this rule names} */
    Map<RuleKind, Enforcement> podRules(Enforcement enforcement) {
        return rule.isPresent() ? Map.of() : Map.of(RuleKind.NODE_AFFINITY, enforcement);
    }

    /** {@return the rules of a policy for this rule} */
    List<Policy.NamedRule> rules(Enforcement enforcement) {
        return rule.map(it -> new Policy.NamedRule("enforced", it, enforcement)).stream()
                .toList();
    }

    /** {@return what the pods {@code web} have in their spec} */
    PodTrait ofPods() {
        return rule.isPresent() ? _ -> {} : nodeSelector("disk", "ssd");
    }

    /**
     * {@return the namespaces, nodes and pods around {@code web}}
     *
     * @param fits whether n2 would take a pod
     */
    ClusterBuilder surroundings(boolean fits) {
        ClusterBuilder facts = cluster()
                .namespace("shop", labels("team", "shop"))
                .namespace("other", labels("team", "other"))
                .node("n1", labels("disk", "hdd", HOSTNAME, "n1"));
        return around.apply(
                fits
                        ? facts.node("n2", labels("disk", "ssd", HOSTNAME, "n2"))
                        : facts.node("n2", labels("disk", "ssd", HOSTNAME, "n2"), cordoned()));
    }

    @Override
    public String toString() {
        return name;
    }
}
