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
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.maxSkewOfNoPod;
import static dev.holdfast.policies.testing.Spreads.minDomains;
import static dev.holdfast.policies.testing.Spreads.perValueOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.Labels;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RuleTest {
    static Stream<Arguments> texts() {
        return Stream.of(
                argumentSet(
                        "a nodeSelector", nodeSelectorRule("disk", "ssd", "pool", "general"), "disk=ssd,pool=general"),
                argumentSet(
                        "one node term",
                        nodeRule(nodeTerm(expression("disk", "In", "ssd", "nvme"))),
                        "disk In [ssd, nvme]"),
                argumentSet(
                        "node terms are alternatives, their parts are not",
                        nodeRule(
                                nodeTerm(expression("disk", "In", "ssd"), expression("gpu", "Exists")),
                                fieldTerm(expression("metadata.name", "In", "n1"))),
                        "disk In [ssd], gpu Exists or metadata.name In [n1]"),
                argumentSet(
                        "a nodeSelector and a node term",
                        new Rule.NodeAffinity(
                                Labels.of("pool", "general"),
                                Optional.of(oneOf(nodeTerm(expression("disk", "Exists"))))),
                        "pool=general and disk Exists"),
                argumentSet("node affinity without terms", nodeRule(), "no term"),
                argumentSet("an empty node term", nodeRule(nodeTerm()), "{}"),
                argumentSet(
                        "an affinity term",
                        affinityRule(term(app("cache"), ZONE)),
                        "near (app=cache) by topology.kubernetes.io/zone"),
                argumentSet(
                        "several affinity terms",
                        affinityRule(
                                term(app("cache"), RACK),
                                term(selector(expression("tier", "NotIn", "a", "b")), HOSTNAME)),
                        "near (app=cache) by rack and (tier NotIn [a, b]) by kubernetes.io/hostname"),
                argumentSet(
                        "a selector of labels and expressions",
                        antiAffinityRule(term(
                                matchLabels("app", "web", "tier", "front").and(expression("old", "DoesNotExist")),
                                RACK)),
                        "apart from (app=web, tier=front, old DoesNotExist) by rack"),
                argumentSet(
                        "an empty selector", antiAffinityRule(term(selector(), RACK)), "apart from every pod by rack"),
                argumentSet("an absent selector", antiAffinityRule(termOfNoPod(RACK)), "apart from (no pod) by rack"),
                argumentSet(
                        "namespaces by name and by label",
                        antiAffinityRule(term(
                                app("web"),
                                RACK,
                                namespaces("bank", "post"),
                                namespaceSelector(matchLabels("team", "blue")))),
                        "apart from (app=web) in [bank, post] in namespaces (team=blue) by rack"),
                argumentSet(
                        "every namespace",
                        antiAffinityRule(term(app("web"), RACK, namespaceSelector(selector()))),
                        "apart from (app=web) in every namespace by rack"),
                argumentSet(
                        "a spread", spreadRule(maxSkew(1, RACK, app("web"))), "spread (app=web) by rack, maxSkew 1"),
                argumentSet(
                        "a spread of every pod",
                        spreadRule(maxSkew(1, RACK, selector())),
                        "spread every pod by rack, maxSkew 1"),
                argumentSet(
                        "a spread over at least three domains",
                        spreadRule(maxSkew(2, RACK, app("web"), minDomains(3))),
                        "spread (app=web) by rack, maxSkew 2, minDomains 3"),
                argumentSet(
                        "a spread of no pod",
                        spreadRule(maxSkewOfNoPod(1, RACK)),
                        "spread (no pod) by rack, maxSkew 1"));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void describe(Rule rule, String expected) {
        assertThat(rule.describe()).isEqualTo(expected);
    }

    /** {@return rows with a rule and the same rule merged for a pod with the labels app=web, hash=7f} */
    static Stream<Arguments> merged() {
        return Stream.of(
                argumentSet(
                        "PA-7: matchLabelKeys become In with the pod's value",
                        antiAffinityRule(term(app("web"), ZONE, matchLabelKeys("hash"))),
                        antiAffinityRule(term(app("web").and(expression("hash", "In", "7f")), ZONE))),
                argumentSet(
                        "PA-7: mismatchLabelKeys become NotIn with the pod's value",
                        antiAffinityRule(term(app("web"), ZONE, mismatchLabelKeys("hash"))),
                        antiAffinityRule(term(app("web").and(expression("hash", "NotIn", "7f")), ZONE))),
                argumentSet(
                        "PA-7: keys that the pod lacks are skipped, others are not",
                        antiAffinityRule(term(
                                app("web"), ZONE, matchLabelKeys("tenant", "hash"), mismatchLabelKeys("zone", "app"))),
                        antiAffinityRule(term(
                                app("web").and(expression("hash", "In", "7f")).and(expression("app", "NotIn", "web")),
                                ZONE))),
                argumentSet(
                        "PA-7: nothing is merged into an absent selector",
                        antiAffinityRule(termOfNoPod(ZONE, matchLabelKeys("hash"))),
                        antiAffinityRule(termOfNoPod(ZONE))),
                argumentSet(
                        "PA-7: {} becomes a selector of the keys alone",
                        antiAffinityRule(term(selector(), ZONE, matchLabelKeys("hash"))),
                        antiAffinityRule(term(selector(expression("hash", "In", "7f")), ZONE))),
                argumentSet(
                        "PA-7: namespaces and topologyKey stay",
                        antiAffinityRule(term(
                                app("web"),
                                RACK,
                                namespaces("bank"),
                                namespaceSelector(app("x")),
                                matchLabelKeys("hash"))),
                        antiAffinityRule(term(
                                app("web").and(expression("hash", "In", "7f")),
                                RACK,
                                namespaces("bank"),
                                namespaceSelector(app("x"))))),
                argumentSet(
                        "PA-7: each term of an affinity rule is merged by itself",
                        affinityRule(term(app("web"), ZONE, matchLabelKeys("hash")), term(app("db"), ZONE)),
                        affinityRule(
                                term(app("web").and(expression("hash", "In", "7f")), ZONE), term(app("db"), ZONE))),
                argumentSet(
                        "TS-12: a spread keeps its keys, for its evaluator reads them from the pod",
                        spreadRule(maxSkew(1, ZONE, app("web"), perValueOf("hash"))),
                        spreadRule(maxSkew(1, ZONE, app("web"), perValueOf("hash")))),
                argumentSet(
                        "X-1: a node rule has nothing to merge",
                        nodeSelectorRule("disk", "ssd"),
                        nodeSelectorRule("disk", "ssd")));
    }

    @ParameterizedTest
    @MethodSource("merged")
    void mergedFor(Rule rule, Rule expected) {
        assertThat(rule.mergedFor(Labels.of("app", "web", "hash", "7f"))).isEqualTo(expected);
    }

    static Stream<Arguments> readers() {
        return Stream.of(
                argumentSet("a node rule", nodeSelectorRule("disk", "ssd"), false),
                argumentSet("a term without label keys", antiAffinityRule(term(app("web"), ZONE)), false),
                argumentSet(
                        "a term with keys to match",
                        antiAffinityRule(term(app("web"), ZONE, matchLabelKeys("a"))),
                        true),
                argumentSet(
                        "a term with keys not to match",
                        antiAffinityRule(term(app("web"), ZONE, mismatchLabelKeys("a"))),
                        true),
                argumentSet(
                        "any of several terms with keys",
                        affinityRule(term(app("web"), ZONE), term(app("db"), ZONE, matchLabelKeys("a"))),
                        true),
                argumentSet("terms without keys", affinityRule(term(app("web"), ZONE), term(app("db"), ZONE)), false),
                argumentSet("a spread without label keys", spreadRule(maxSkew(1, ZONE, app("web"))), false),
                argumentSet("a spread with keys", spreadRule(maxSkew(1, ZONE, app("web"), perValueOf("hash"))), true));
    }

    @ParameterizedTest
    @MethodSource("readers")
    void readsLabels(Rule rule, boolean expected) {
        assertThat(rule.readsLabels()).isEqualTo(expected);
    }

    @Test
    void theFourKindsBearTheNamesOfThePolicyFields() {
        assertThat(Stream.of(
                                nodeSelectorRule("disk", "ssd"),
                                affinityRule(term(app("web"), ZONE)),
                                antiAffinityRule(term(app("web"), ZONE)),
                                spreadRule(maxSkew(1, ZONE, app("web"))))
                        .map(Rule::kind))
                .containsExactly(RuleKind.values())
                .extracting(RuleKind::label)
                .containsExactly("NodeAffinity", "PodAffinity", "PodAntiAffinity", "TopologySpread");
    }
}
