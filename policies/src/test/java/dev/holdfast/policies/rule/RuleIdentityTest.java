package dev.holdfast.policies.rule;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.fieldTerm;
import static dev.holdfast.policies.testing.Demands.matchLabelKeys;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.mismatchLabelKeys;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.oneOf;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Demands.termOfNoPod;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.ignoringNodeAffinity;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.maxSkewOfNoPod;
import static dev.holdfast.policies.testing.Spreads.minDomains;
import static dev.holdfast.policies.testing.Spreads.perValueOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules have equal identities only if their content is equal. Each clock belongs to one identity. */
class RuleIdentityTest {
    private static final LabelSelector WEB = app("web");

    static Stream<Arguments> same() {
        return Stream.of(
                same(
                        "the order of node terms",
                        nodeRule(disk("ssd"), disk("nvme")),
                        nodeRule(disk("nvme"), disk("ssd"))),
                same("the order of values", nodeRule(disk("ssd", "nvme")), nodeRule(disk("nvme", "ssd"))),
                same(
                        "the order of expressions",
                        nodeRule(nodeTerm(expression("disk", "Exists"), expression("gpu", "Exists"))),
                        nodeRule(nodeTerm(expression("gpu", "Exists"), expression("disk", "Exists")))),
                same(
                        "the order of fields",
                        nodeRule(fieldTerm(name("NotIn", "n1"), name("NotIn", "n2"))),
                        nodeRule(fieldTerm(name("NotIn", "n2"), name("NotIn", "n1")))),
                same(
                        "the order of nodeSelector pairs",
                        nodeSelectorRule("a", "1", "b", "2"),
                        nodeSelectorRule("b", "2", "a", "1")),
                same("a node term said twice", nodeRule(disk("ssd")), nodeRule(disk("ssd"), disk("ssd"))),
                same(
                        "the order of affinity terms",
                        affinityRule(term(WEB, ZONE), term(app("db"), RACK)),
                        affinityRule(term(app("db"), RACK), term(WEB, ZONE))),
                same(
                        "a duplicate affinity term",
                        affinityRule(term(WEB, ZONE)),
                        affinityRule(term(WEB, ZONE), term(WEB, ZONE))),
                same(
                        "the order of matchLabels",
                        antiAffinityRule(term(matchLabels("a", "1", "b", "2"), ZONE)),
                        antiAffinityRule(term(matchLabels("b", "2", "a", "1"), ZONE))),
                same(
                        "the order of a label selector's expressions and their values",
                        antiAffinityRule(
                                term(selector(expression("a", "In", "1", "2"), expression("b", "Exists")), ZONE)),
                        antiAffinityRule(
                                term(selector(expression("b", "Exists"), expression("a", "In", "2", "1")), ZONE))),
                same(
                        "the order of namespaces",
                        antiAffinityRule(term(WEB, ZONE, namespaces("bank", "post"))),
                        antiAffinityRule(term(WEB, ZONE, namespaces("post", "bank")))),
                same(
                        "the order of label keys",
                        antiAffinityRule(term(WEB, ZONE, matchLabelKeys("a", "b"), mismatchLabelKeys("c", "d"))),
                        antiAffinityRule(term(WEB, ZONE, matchLabelKeys("b", "a"), mismatchLabelKeys("d", "c")))),
                same(
                        "the order of the label keys of a spread",
                        spreadRule(maxSkew(1, ZONE, WEB, perValueOf("a", "b"))),
                        spreadRule(maxSkew(1, ZONE, WEB, perValueOf("b", "a")))),
                same(
                        "the order of the topologyKeys in one pod spec, whether they include its own or not",
                        spreadRule(maxSkew(1, ZONE, WEB), RACK, HOSTNAME),
                        spreadRule(maxSkew(1, ZONE, WEB), HOSTNAME, ZONE, RACK)),
                same(
                        "the label keys of a pod's own term, since the API server has merged them (PA-7)",
                        PodRules.of(pod("p", apartFrom(term(WEB, ZONE))).scheduling())
                                .getFirst(),
                        PodRules.of(pod("p", apartFrom(term(WEB, ZONE, matchLabelKeys("a"), mismatchLabelKeys("b"))))
                                        .scheduling())
                                .getFirst()));
    }

    @ParameterizedTest
    @MethodSource("same")
    void oneIdentityWhateverIs(Rule one, Rule other) {
        assertThat(one.identity()).isEqualTo(other.identity());
    }

    private static Arguments same(String name, Rule one, Rule other) {
        return argumentSet(name, one, other);
    }

    /** {@return rules that all differ from each other} */
    static List<Rule> distinct() {
        return List.of(
                new Rule.NodeAffinity(Labels.none(), Optional.empty()),
                nodeSelectorRule("disk", "ssd"),
                nodeSelectorRule("disk", "hdd"),
                nodeSelectorRule("disk", ""),
                nodeSelectorRule("disk2", "ssd"),
                nodeSelectorRule("disk", "ssd", "gpu", ""),
                nodeRule(),
                nodeRule(nodeTerm()),
                nodeRule(disk("ssd")),
                nodeRule(disk("ssd", "nvme")),
                nodeRule(disk("ssd"), disk("nvme")),
                nodeRule(disk("ssd, nvme")),
                nodeRule(disk("ssdnvme")),
                nodeRule(nodeTerm(expression("disk", "NotIn", "ssd"))),
                nodeRule(nodeTerm(expression("disk", "Exists"))),
                nodeRule(nodeTerm(expression("cores", "Gt", "4"))),
                nodeRule(nodeTerm(expression("cores", "Gt", "4", "4"))),
                nodeRule(nodeTerm(expression("cores", "Gt", "04"))),
                nodeRule(nodeTerm(name("In", "n1"))),
                nodeRule(fieldTerm(name("In", "n1"))),
                nodeRule(fieldTerm(name("In", "n1", "n1"))),
                new Rule.NodeAffinity(Labels.of("disk", "ssd"), Optional.of(oneOf(disk("ssd")))),
                affinityRule(),
                affinityRule(term(WEB, ZONE)),
                affinityRule(term(WEB, ZONE), term(WEB, RACK)),
                affinityRule(term(app("db"), ZONE)),
                antiAffinityRule(term(WEB, ZONE)),
                antiAffinityRule(term(WEB, RACK)),
                antiAffinityRule(termOfNoPod(ZONE)),
                antiAffinityRule(term(selector(), ZONE)),
                antiAffinityRule(term(selector(expression("app", "In", "web")), ZONE)),
                antiAffinityRule(term(WEB, ZONE, namespaces("shop"))),
                antiAffinityRule(term(WEB, ZONE, namespaces("shop", "bank"))),
                antiAffinityRule(term(WEB, ZONE, namespaceSelector(selector()))),
                antiAffinityRule(term(WEB, ZONE, namespaceSelector(WEB))),
                antiAffinityRule(term(WEB, ZONE, matchLabelKeys("hash"))),
                antiAffinityRule(term(WEB, ZONE, mismatchLabelKeys("hash"))),
                antiAffinityRule(term(WEB.and(expression("hash", "In", "7f")), ZONE)),
                spreadRule(maxSkew(1, ZONE, WEB)),
                spreadRule(maxSkew(2, ZONE, WEB)),
                spreadRule(maxSkew(1, RACK, WEB)),
                spreadRule(maxSkew(1, ZONE, WEB), RACK),
                spreadRule(maxSkew(1, ZONE, app("db"))),
                spreadRule(maxSkewOfNoPod(1, ZONE)),
                spreadRule(maxSkew(1, ZONE, selector())),
                spreadRule(maxSkew(1, ZONE, WEB, minDomains(2))),
                spreadRule(maxSkew(1, ZONE, WEB, ignoringNodeAffinity())),
                spreadRule(maxSkew(1, ZONE, WEB, honoringTaints())),
                spreadRule(maxSkew(1, ZONE, WEB, perValueOf("hash"))));
    }

    @Test
    void anotherContentHasAnotherIdentity() {
        Map<RuleIdentity, Rule> known = new HashMap<>();
        for (Rule rule : distinct()) {
            assertThat(Optional.ofNullable(known.put(rule.identity(), rule)))
                    .as("a rule with the identity of %s", rule)
                    .isEmpty();
        }
    }

    @Test
    void anIdentityIsThatOfTheRuleBeforeItsLabelKeysAreMerged() {
        Rule rule = antiAffinityRule(term(WEB, ZONE, matchLabelKeys("hash")));
        Rule merged = rule.mergedFor(Labels.of("hash", "7f"));
        assertThat(merged).isNotEqualTo(rule);
        assertThat(merged.identity()).isNotEqualTo(rule.identity());
    }

    /** {@return rules with their recorded hashes: a version with another hash restarts the clocks of the violations} */
    static Stream<Arguments> hashes() {
        return Stream.of(
                argumentSet(
                        "node affinity",
                        new Rule.NodeAffinity(Labels.of("pool", "general"), Optional.of(oneOf(disk("ssd", "nvme")))),
                        "7db2b18a17fb10bb"),
                argumentSet(
                        "pod affinity",
                        affinityRule(
                                term(WEB, ZONE, namespaces("bank")),
                                term(selector(), RACK, namespaceSelector(selector()))),
                        "eb1613f6d6e74269"),
                argumentSet(
                        "pod anti-affinity",
                        antiAffinityRule(term(WEB, HOSTNAME, matchLabelKeys("hash"))),
                        "a1a64d7547386b35"),
                argumentSet(
                        "topology spread",
                        spreadRule(maxSkew(1, ZONE, WEB, minDomains(3), honoringTaints()), HOSTNAME),
                        "de0898c842822523"));
    }

    @ParameterizedTest
    @MethodSource("hashes")
    void theSameInEveryVersion(Rule rule, String hash) {
        assertThat(rule.identity()).hasToString(hash);
    }

    @Test
    void identitiesAreOrderedByTheirText() {
        RuleIdentity less = new RuleIdentity("00ff");
        RuleIdentity more = new RuleIdentity("0100");
        assertThat(less).isLessThan(more);
        assertThat(more).isGreaterThan(less);
        assertThat(less).isEqualByComparingTo(new RuleIdentity("00ff"));
    }

    private static NodeSelectorTerm disk(String... values) {
        return nodeTerm(expression("disk", "In", values));
    }

    private static Requirement name(String operator, String... values) {
        return expression("metadata.name", operator, values);
    }
}
