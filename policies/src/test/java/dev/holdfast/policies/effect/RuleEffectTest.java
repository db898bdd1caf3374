package dev.holdfast.policies.effect;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Demands.termOfNoPod;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.ignoringNodeAffinity;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.maxSkewOfNoPod;
import static dev.holdfast.policies.testing.Spreads.minDomains;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RuleEffectTest {
    /** A pod of app web in zone a, where the label disk is ssd; zone b is without pods. */
    private static ClusterBuilder twoZones() {
        return cluster()
                .node("n1", zone("a"), labels("disk", "ssd"))
                .node("n2", zone("b"))
                .pod("web-1", on("n1"), labels("app", "web"), nodeSelector("disk", "ssd"));
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                none(
                        "anti-affinity by a key that no node has",
                        twoZones(),
                        antiAffinityRule(term(app("web"), RACK)),
                        NoEffect.Kind.KEY_NOWHERE,
                        "no node has the label rack, so it keeps no pods apart"),
                none(
                        "affinity by a key that no node has",
                        twoZones(),
                        affinityRule(term(app("web"), ZONE), term(app("web"), RACK)),
                        NoEffect.Kind.KEY_NOWHERE,
                        "no node has the label rack, so no node satisfies it"),
                none(
                        "a spread by a key that no node has",
                        twoZones(),
                        spreadRule(maxSkew(1, RACK, app("web"))),
                        NoEffect.Kind.KEY_NOWHERE,
                        "no node has the label rack, so no node satisfies it"),
                some(
                        "anti-affinity by a key that one node has",
                        twoZones().node("n3", labels(RACK, "")),
                        antiAffinityRule(term(app("web"), RACK))),
                some("without nodes nothing is said of keys", noNodes(), antiAffinityRule(term(app("web"), RACK))),
                none(
                        "anti-affinity to pods that do not exist",
                        twoZones(),
                        antiAffinityRule(term(app("batch"), ZONE)),
                        NoEffect.Kind.NO_POD,
                        "no pod in the namespaces that it reads matches its selector, so it keeps no pods apart"),
                none(
                        "anti-affinity to pods of another namespace",
                        twoZones().pod("batch", in("bank"), on("n1"), labels("app", "batch")),
                        antiAffinityRule(term(app("batch"), ZONE)),
                        NoEffect.Kind.NO_POD,
                        "no pod in the namespaces that it reads matches its selector, so it keeps no pods apart"),
                some("the owner itself matches", twoZones(), antiAffinityRule(term(app("web"), ZONE))),
                none(
                        "affinity to pods that do not exist",
                        twoZones(),
                        affinityRule(term(app("cache"), ZONE)),
                        NoEffect.Kind.NO_POD,
                        "no pod in the namespaces that it reads matches its selector, so no node satisfies it"),
                none(
                        "affinity to pods of another namespace",
                        twoZones().pod("cache", in("bank"), on("n1"), labels("app", "cache")),
                        affinityRule(term(app("cache"), ZONE)),
                        NoEffect.Kind.NO_POD,
                        "no pod in the namespaces that it reads matches its selector, so no node satisfies it"),
                some(
                        "affinity to a pod that has no node yet",
                        twoZones().pod("cache", labels("app", "cache")),
                        affinityRule(term(app("cache"), ZONE))),
                some(
                        "AF-5: the owner is the first pod of its own affinity",
                        twoZones(),
                        affinityRule(term(app("web"), ZONE))),
                none(
                        "AF-1: affinity of two terms, of which each matches another pod",
                        twoZones()
                                .pod("a", on("n1"), labels("app", "cache"))
                                .pod("b", on("n1"), labels("tier", "data")),
                        affinityRule(term(app("cache"), ZONE), term(matchLabels("tier", "data"), ZONE)),
                        NoEffect.Kind.NO_POD,
                        "no pod in the namespaces that it reads matches all its terms, as one pod must, so no node"
                                + " satisfies it"),
                some(
                        "AF-1: affinity of two terms that one pod matches",
                        twoZones().pod("a", on("n1"), labels("app", "cache", "tier", "data")),
                        affinityRule(term(app("cache"), ZONE), term(matchLabels("tier", "data"), ZONE))),
                none(
                        "anti-affinity without a selector",
                        twoZones(),
                        antiAffinityRule(termOfNoPod(ZONE)),
                        NoEffect.Kind.UNMATCHABLE,
                        "it has no `labelSelector`, and so it matches no pod"),
                none(
                        "anti-affinity that demands and excludes a value",
                        twoZones(),
                        antiAffinityRule(term(
                                selector(expression("app", "In", "web"), expression("app", "NotIn", "web")), ZONE)),
                        NoEffect.Kind.UNMATCHABLE,
                        "no pod can match it: no label value satisfies all of app In [web] and app NotIn [web]"),
                none(
                        "AF-9: affinity of two terms that no pod can match at once",
                        twoZones(),
                        affinityRule(term(app("web"), ZONE), term(app("cache"), ZONE)),
                        NoEffect.Kind.UNMATCHABLE,
                        "no pod can match it: no label value satisfies all of app=web and app=cache"),
                none(
                        "TS-10: a spread without a selector",
                        twoZones(),
                        spreadRule(maxSkewOfNoPod(1, ZONE)),
                        NoEffect.Kind.UNMATCHABLE,
                        "it has no `labelSelector`, and so it matches no pod"),
                none(
                        "TS-11: a spread with the empty selector",
                        twoZones(),
                        spreadRule(maxSkew(1, ZONE, selector())),
                        NoEffect.Kind.NO_POD,
                        "the scheduler counts no pods for the selector {}, so it spreads none"),
                none(
                        "a spread of pods that do not exist",
                        twoZones(),
                        spreadRule(maxSkew(1, ZONE, app("batch"))),
                        NoEffect.Kind.NO_POD,
                        "no pod of its namespace matches its selector, so it spreads none"),
                none(
                        "TS-5: a spread over the one zone that the owner's nodeSelector leaves",
                        twoZones(),
                        spreadRule(maxSkew(1, ZONE, app("web"))),
                        NoEffect.Kind.ONE_DOMAIN,
                        "all nodes that count for it are in topology.kubernetes.io/zone=a, so its skew never exceeds"
                                + " 1"),
                some(
                        "with nodeAffinityPolicy Ignore both zones count",
                        twoZones(),
                        spreadRule(maxSkew(1, ZONE, app("web"), ignoringNodeAffinity()))),
                some(
                        "TS-8: with minDomains 2, one domain is too few, and so the spread does something",
                        twoZones(),
                        spreadRule(maxSkew(1, ZONE, app("web"), minDomains(2)))),
                none(
                        "TS-8: a spread for which no node counts",
                        cluster()
                                .node("n1", zone("a"))
                                .pod("web-1", on("n1"), labels("app", "web"), nodeSelector("x", "y")),
                        spreadRule(maxSkew(1, ZONE, app("web"))),
                        NoEffect.Kind.ONE_DOMAIN,
                        "no node counts for it, so its skew never exceeds 1"),
                none(
                        "a node affinity that no node can match",
                        twoZones(),
                        nodeRule(nodeTerm(expression("driver", "Gt", "535.5"))),
                        NoEffect.Kind.UNMATCHABLE,
                        "no node can match it: 535.5 is no integer"),
                none(
                        "a node affinity of which one term is dead",
                        twoZones(),
                        nodeRule(nodeTerm(expression("disk", "In", "ssd")), nodeTerm(expression("n", "Lt", "0"))),
                        NoEffect.Kind.UNMATCHABLE,
                        "no node can match its term n Lt [0]: no label value satisfies n Lt [0]"),
                some(
                        "a node affinity that no node matches now",
                        twoZones(),
                        nodeRule(nodeTerm(expression("disk", "In", "nvme")))));
    }

    private static ClusterBuilder noNodes() {
        return cluster().pod("web-1", labels("app", "web"));
    }

    private static Arguments none(String name, ClusterBuilder cluster, Rule rule, NoEffect.Kind kind, String why) {
        return argumentSet(name, cluster, rule, Optional.of(new NoEffect(kind, why)));
    }

    private static Arguments some(String name, ClusterBuilder cluster, Rule rule) {
        return argumentSet(name, cluster, rule, Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("rules")
    void saysWhyARuleCanDoNothing(ClusterBuilder cluster, Rule rule, Optional<NoEffect> expected) {
        ClusterView view = cluster.build();
        Pod pod = view.pods().stream()
                .filter(it -> it.name().name().equals("web-1"))
                .findFirst()
                .orElseThrow();
        RuleEffect effect = new RuleEffect(view);

        assertThat(effect.of(rule, pod).none()).isEqualTo(expected);
        assertThat(effect.of(rule, pod).none()).as("from the cache").isEqualTo(expected);
    }

    /** The rules of 1,000 pods of app web, and of as many without a label of that key. */
    private static ClusterView manyPods() {
        ClusterBuilder cluster = cluster().node("n1", zone("a")).node("n2", zone("b"));
        for (int i = 0; i < 1000; i++) {
            cluster.pod("web-" + i, on("n1"), labels("app", "web", "pod", "web-" + i))
                    .pod("db-" + i, in("bank"), on("n1"), labels("tier", "db"));
        }
        return cluster.build();
    }

    static Stream<Arguments> costs() {
        PodAffinityTerm web = term(app("web"), ZONE);
        PodAffinityTerm noWeb = term(matchLabels("pod", "none"), ZONE);
        return Stream.of(
                cost("a rule that is known", rule(affinityRule(web)), rule(affinityRule(web)), 0),
                cost(
                        "another value of a label that was searched: the two nodes of its key are known too",
                        rule(affinityRule(web)),
                        rule(affinityRule(term(app("batch"), ZONE))),
                        10),
                cost(
                        "a label that was not searched: each pod of the namespace is read, and each with the label",
                        rule(affinityRule(web)),
                        rule(affinityRule(noWeb)),
                        10 + 1000 + 1000),
                cost(
                        "of two terms, the one with fewer pods is searched",
                        rule(affinityRule(noWeb), affinityRule(web)),
                        rule(affinityRule(web, noWeb)),
                        10),
                cost(
                        "a value that no pod has, in all namespaces",
                        rule(antiAffinityRule(term(matchLabels("tier", "x"), ZONE, namespaceSelector(selector())))),
                        rule(antiAffinityRule(term(matchLabels("tier", "y"), ZONE, namespaceSelector(selector())))),
                        10),
                cost(
                        "a selector that requires no label ends at the first pod",
                        rule(affinityRule(web)),
                        rule(affinityRule(term(selector(expression("x", "DoesNotExist")), ZONE))),
                        10 + 1),
                cost(
                        "a selector that requires no label and matches no pod examines all of the namespace",
                        rule(affinityRule(web)),
                        rule(affinityRule(term(selector(expression("app", "DoesNotExist")), ZONE))),
                        10 + 1000),
                cost(
                        "a key that was not searched: two nodes",
                        rule(),
                        rule(affinityRule(term(app("x"), RACK))),
                        10 + 2));
    }

    private static List<Rule> rule(Rule... rules) {
        return List.of(rules);
    }

    private static Arguments cost(String name, List<Rule> before, List<Rule> rules, long examined) {
        return argumentSet(name, before, rules.getFirst(), examined);
    }

    @ParameterizedTest
    @MethodSource("costs")
    void countsWhatItExaminesAndSaysNothingWithLess(List<Rule> before, Rule rule, long examined) {
        ClusterView view = manyPods();

        RuleEffect enough = effect(view, before);
        enough.allow(examined);
        assertThat(enough.ofAny(rule, "shop", Scheduling.anywhere(), true))
                .isNotEqualTo(new RuleFinding.NotExamined())
                .isEqualTo(effect(view, before).ofAny(rule, "shop", Scheduling.anywhere(), true));
        assertThat(enough.left()).isZero();

        if (examined > 0) {
            RuleEffect tooLittle = effect(view, before);
            tooLittle.allow(examined - 1);
            assertThat(tooLittle.ofAny(rule, "shop", Scheduling.anywhere(), true))
                    .isEqualTo(new RuleFinding.NotExamined());
            tooLittle.allow(1_000_000);
            assertThat(tooLittle.ofAny(rule, "shop", Scheduling.anywhere(), true))
                    .as("later, with more")
                    .isEqualTo(enough.ofAny(rule, "shop", Scheduling.anywhere(), true));
        }
    }

    private static RuleEffect effect(ClusterView view, List<Rule> before) {
        RuleEffect effect = new RuleEffect(view);
        before.forEach(rule -> effect.ofAny(rule, "shop", Scheduling.anywhere(), true));
        return effect;
    }

    @Test
    void aTermIsNotSearchedForReadersWhoMayNotKnowThePods() {
        assertThat(new RuleEffect(manyPods())
                        .ofAny(affinityRule(term(app("batch"), ZONE)), "shop", Scheduling.anywhere(), false))
                .isEqualTo(new RuleFinding.Something());
    }
}
