package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.effect.NoEffect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.PolicyEffect;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PolicyDraft;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which rules of policies can do something, as the status says it. */
class PolicyEffectTest {
    private static final Enforcement AUDIT = new Enforcement(Mode.AUDIT, TestPolicies.FORGIVENESS, WhenInfeasible.WAIT);
    private static final Rule BY_RACK = antiAffinityRule(term(app("web"), RACK));
    private static final NoEffect NO_RACK =
            new NoEffect(NoEffect.Kind.KEY_NOWHERE, "no node has the label rack, so it keeps no pods apart");
    private static final Rule NEAR_CACHE = affinityRule(term(app("cache"), ZONE, namespaces("data")));
    private static final NoEffect NO_CACHE = new NoEffect(
            NoEffect.Kind.NO_POD,
            "no pod in the namespaces that it reads matches its selector, so no node satisfies it");

    private static final NoEffect ONE_ZONE = new NoEffect(
            NoEffect.Kind.ONE_DOMAIN,
            "all nodes that count for it are in topology.kubernetes.io/zone=a, so its skew never exceeds 1");

    private static ClusterBuilder twoZones() {
        return cluster()
                .node("n1", zone("a"), labels("disk", "ssd"))
                .node("n2", zone("b"))
                .pod("web-1", on("n1"), labels("app", "web"), nodeSelector("disk", "ssd"))
                .pod("web-2", on("n2"), labels("app", "web"));
    }

    private static Policy asking(Map<String, Rule> rules) {
        return PolicyDraft.of(PolicyId.namespaced("shop", "own"), Mode.AUDIT)
                .podRules(Map.of())
                .rules(rules.entrySet().stream()
                        .map(rule -> new Policy.NamedRule(rule.getKey(), rule.getValue(), AUDIT))
                        .toList())
                .policy();
    }

    private static Policy auditing() {
        return PolicyDraft.of(PolicyId.namespaced("shop", "own"), Mode.AUDIT)
                .podRules(Map.of(RuleKind.POD_ANTI_AFFINITY, AUDIT, RuleKind.NODE_AFFINITY, AUDIT))
                .policy();
    }

    static Stream<Arguments> policies() {
        return Stream.of(
                row(
                        "a rule that can do something",
                        twoZones(),
                        asking(Map.of("apart", antiAffinityRule(term(app("web"), ZONE)))),
                        1,
                        Map.of()),
                row("a rule that cannot", twoZones(), asking(Map.of("racks", BY_RACK)), 1, Map.of("racks", NO_RACK)),
                row(
                        "one rule that can, and one that cannot",
                        twoZones(),
                        asking(Map.of("racks", BY_RACK, "apart", antiAffinityRule(term(app("web"), ZONE)))),
                        2,
                        Map.of("racks", NO_RACK)),
                row(
                        "a policy that selects no pod is held to no rule",
                        twoZones(),
                        over(app("batch"), asking(Map.of("racks", BY_RACK))),
                        0,
                        Map.of()),
                row(
                        "no pod has a rule of the kinds that the policy requests",
                        cluster().node("n1", zone("a")).pod("web-1", on("n1"), labels("app", "web")),
                        auditing(),
                        0,
                        Map.of()),
                row(
                        "rules of pods' own spec are named by their kind, and one that can do something is enough",
                        twoZones()
                                .pod("db-1", on("n1"), apartFrom(term(app("web"), RACK)))
                                .pod("db-2", on("n1"), apartFrom(term(app("queue"), RACK))),
                        auditing(),
                        2,
                        Map.of("PodAntiAffinity", NO_RACK)),
                row(
                        "TS-5: one domain is left for a pod with a nodeSelector, and two for another pod",
                        twoZones(),
                        asking(Map.of("even", spreadRule(maxSkew(1, ZONE, app("web"))))),
                        1,
                        Map.of()),
                row(
                        "all nodes are in one domain",
                        twoZones().node("n2", zone("a")),
                        asking(Map.of("even", spreadRule(maxSkew(1, ZONE, app("web"))))),
                        1,
                        Map.of("even", ONE_ZONE)),
                row(
                        "a node expression whose value no node can have",
                        twoZones(),
                        asking(Map.of("driver", nodeRule(nodeTerm(expression("driver", "Gt", "535.5"))))),
                        1,
                        Map.of(
                                "driver",
                                new NoEffect(NoEffect.Kind.UNMATCHABLE, "no node can match it: 535.5 is no integer"))),
                row(
                        "a cluster policy says that no pod of another namespace matches",
                        twoZones(),
                        everywhere(asking(Map.of("near", NEAR_CACHE))),
                        1,
                        Map.of("near", NO_CACHE)),
                row(
                        "a namespaced policy does not say so: its readers must not learn of other namespaces",
                        twoZones(),
                        asking(Map.of("near", NEAR_CACHE)),
                        1,
                        Map.of()),
                row(
                        "a namespaced policy says so of its own namespace",
                        twoZones(),
                        asking(Map.of("near", affinityRule(term(app("cache"), ZONE)))),
                        1,
                        Map.of("near", NO_CACHE)),
                row(
                        "a namespaced policy says so of a term that names its namespace",
                        twoZones(),
                        asking(Map.of("near", affinityRule(term(app("cache"), ZONE, namespaces("shop"))))),
                        1,
                        Map.of("near", NO_CACHE)),
                row(
                        "in one of two namespaces of a cluster policy a pod matches",
                        twoZones()
                                .pod("a", in("bank"), on("n1"), labels("app", "web"))
                                .pod("b", in("bank"), on("n1"), labels("app", "cache")),
                        everywhere(asking(Map.of("near", affinityRule(term(app("cache"), ZONE))))),
                        1,
                        Map.of()));
    }

    private static Arguments row(
            String name, ClusterBuilder cluster, Policy policy, int rules, Map<String, NoEffect> without) {
        return argumentSet(name, cluster, policy, new PolicyEffect(rules, without, Set.of()));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void theReportSaysWhichRulesCanDoNothing(ClusterBuilder cluster, Policy policy, PolicyEffect expected) {
        assertThat(EngineScenario.begin(cluster, policy)
                        .afterSeconds(1)
                        .report(policy)
                        .effect())
                .isEqualTo(expected);
    }

    @Test
    void aChangeOfNodesIsSaidWithinAMinute() {
        Policy policy = asking(Map.of("racks", BY_RACK));
        EngineScenario engineScenario = EngineScenario.begin(twoZones(), policy).afterSeconds(5);

        engineScenario.happens(nodeChanged("n3", labels(RACK, "r1"))).afterSeconds(1);
        assertThat(engineScenario.report(policy).effect().isNone())
                .as("a second after the change")
                .isTrue();

        engineScenario.afterSeconds(59);
        assertThat(engineScenario.report(policy).effect()).isEqualTo(new PolicyEffect(1, Map.of(), Set.of()));
    }

    @Test
    void theFirstSelectedPodIsJudgedAtOnce() {
        Policy policy = over(app("batch"), asking(Map.of("racks", BY_RACK)));
        EngineScenario engineScenario = EngineScenario.begin(twoZones(), policy).afterSeconds(5);

        engineScenario
                .happens(podChanged("batch-1", on("n1"), labels("app", "batch")))
                .afterSeconds(1);

        assertThat(engineScenario.report(policy).effect())
                .isEqualTo(new PolicyEffect(1, Map.of("racks", NO_RACK), Set.of()));
    }

    @Test
    void anEditedPolicyIsJudgedAtOnce() {
        Policy policy = asking(Map.of("racks", BY_RACK));
        Policy edited = TestPolicies.edited(policy);
        EngineScenario engineScenario = EngineScenario.begin(twoZones(), policy).afterSeconds(5);

        engineScenario
                .happens(nodeChanged("n3", labels(RACK, "r1")))
                .event(new Event.PolicyChanged(edited))
                .afterSeconds(1);

        assertThat(engineScenario.report(policy).effect()).isEqualTo(new PolicyEffect(1, Map.of(), Set.of()));
    }

    @Test
    void aSpreadIsJudgedForAllSetsOfPods() {
        ClusterBuilder cluster = cluster().node("n1", zone("a"));
        for (int i = 0; i < 250; i++) {
            cluster.pod("web-" + i, in("team-" + i), on("n1"), labels("app", "web"));
        }
        Policy policy = everywhere(asking(Map.of("even", spreadRule(maxSkew(1, ZONE, app("web"))))));

        assertThat(EngineScenario.begin(cluster, policy)
                        .afterSeconds(1)
                        .report(policy)
                        .effect())
                .isEqualTo(new PolicyEffect(1, Map.of("even", ONE_ZONE), Set.of()));
    }

    @Test
    void aSpreadIsJudgedForAllSetsOfPodsWhoseNodesDiffer() {
        ClusterBuilder cluster = cluster().node("n1", zone("a")).node("n2", zone("b"), labels("disk", "none"));
        for (int i = 0; i < 250; i++) {
            cluster.node("m" + i, zone("a"), labels("disk", "d" + i))
                    .pod("web-" + i, on("m" + i), labels("app", "web"), nodeSelector("disk", "d" + i));
        }
        Policy policy = asking(Map.of("even", spreadRule(maxSkew(1, ZONE, app("web"))), "racks", BY_RACK));

        assertThat(EngineScenario.begin(cluster, policy)
                        .afterSeconds(1)
                        .report(policy)
                        .effect())
                .isEqualTo(new PolicyEffect(2, Map.of("even", ONE_ZONE, "racks", NO_RACK), Set.of()));
    }

    @Test
    void manyPodsOfOneNamespaceAreJudgedOnceForARuleOfAPolicy() {
        ClusterBuilder cluster = cluster().node("n1", zone("a"));
        for (int i = 0; i < 201; i++) {
            cluster.pod("web-" + i, on("n1"), labels("app", "web"), nodeSelector("disk", "d" + i));
        }
        Policy policy = everywhere(asking(Map.of("near", affinityRule(term(app("cache"), ZONE)))));

        assertThat(EngineScenario.begin(cluster, policy)
                        .afterSeconds(1)
                        .report(policy)
                        .effect())
                .isEqualTo(new PolicyEffect(1, Map.of("near", NO_CACHE), Set.of()));
    }

    @Test
    void aTermThatNamesItsNamespacesIsJudgedOnceForPodsOfManyNamespaces() {
        ClusterBuilder cluster = cluster().node("n1", zone("a"));
        for (int i = 0; i < 201; i++) {
            cluster.pod("web-" + i, in("team-" + i), on("n1"), labels("app", "web"));
        }
        Policy policy = everywhere(asking(Map.of("near", NEAR_CACHE)));

        assertThat(EngineScenario.begin(cluster, policy)
                        .afterSeconds(1)
                        .report(policy)
                        .effect())
                .isEqualTo(new PolicyEffect(1, Map.of("near", NO_CACHE), Set.of()));
    }
}
