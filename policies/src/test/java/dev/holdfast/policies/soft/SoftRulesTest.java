package dev.holdfast.policies.soft;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static dev.holdfast.policies.testing.PreferenceTraits.preferring;
import static dev.holdfast.policies.testing.PreferenceTraits.preferringApart;
import static dev.holdfast.policies.testing.PreferenceTraits.preferringNear;
import static dev.holdfast.policies.testing.PreferenceTraits.softSpread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.score.ScorePlugin;
import dev.holdfast.policies.score.SpreadDefaults;
import dev.holdfast.policies.score.WorkloadSelectors;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes a1 and a2 of zone a have disk=hdd and b1 of zone b has disk=ssd; bare has no labels. The pod is p on a1. */
class SoftRulesTest {
    private static final NodeSelectorTerm SSD = nodeTerm(expression("disk", "In", "ssd"));
    private static final NodeSelectorTerm ZONE_A = nodeTerm(expression(ZONE, "In", "a"));
    private static final String SPREAD = "SoftTopologySpread spread (app=web) by " + ZONE + ", maxSkew 1: " + ZONE;

    private static ClusterBuilder nodes() {
        return cluster()
                .node("a1", zone("a"), labels("disk", "hdd"))
                .node("a2", zone("a"), labels("disk", "hdd"))
                .node("b1", zone("b"), labels("disk", "ssd"))
                .node("bare");
    }

    private static ClusterBuilder with(PodTrait... traits) {
        return nodes().pod("p", traits);
    }

    private static Optional<SoftRules> rules(ClusterBuilder cluster) {
        ReferenceCluster built = cluster.build();
        return SoftRules.of(built.pod("p").orElseThrow(), built, SpreadDefaults.none());
    }

    static Stream<Arguments> unmet() {
        return Stream.of(
                argumentSet("a pod without preferences", with(on("a1")), List.of()),
                argumentSet("a node term that matches the node", with(on("b1"), preferring(5, SSD)), List.of()),
                argumentSet(
                        "a node term that does not match the node",
                        with(on("a1"), preferring(5, SSD)),
                        List.of("PreferredNodeAffinity disk In [ssd], weight 5: a1 does not match disk In [ssd]: it has"
                                + " disk=hdd")),
                argumentSet(
                        "SC-NA-3: a term of weight 0, and one without requirements, are no rules",
                        with(on("a1"), preferring(0, SSD), preferring(5, nodeTerm())),
                        List.of()),
                argumentSet(
                        "an affinity term with a partner in the domain",
                        with(on("a1"), preferringNear(5, term(app("db"), ZONE)))
                                .pod("db", on("a2"), labels("app", "db")),
                        List.of()),
                argumentSet(
                        "an affinity term whose partners are elsewhere",
                        with(on("a1"), preferringNear(5, term(app("db"), ZONE)))
                                .pod("db", on("b1"), labels("app", "db")),
                        List.of("PreferredPodAffinity near (app=db) by " + ZONE + ", weight 5: no pod in " + ZONE
                                + "=a matches: near (app=db) by " + ZONE)),
                argumentSet(
                        "the first of a group of pods has no partner, though required affinity would hold",
                        with(on("a1"), labels("app", "web"), preferringNear(5, term(app("web"), ZONE))),
                        List.of("PreferredPodAffinity near (app=web) by " + ZONE + ", weight 5: no other pod in " + ZONE
                                + "=a matches: near (app=web) by " + ZONE)),
                argumentSet(
                        "an affinity term on a node without the key",
                        with(on("bare"), preferringNear(5, term(app("db"), ZONE)))
                                .pod("db", on("a1"), labels("app", "db")),
                        List.of("PreferredPodAffinity near (app=db) by " + ZONE + ", weight 5: bare has no label "
                                + ZONE)),
                argumentSet(
                        "an anti-affinity term with a partner in the domain",
                        with(on("a1"), preferringApart(5, term(app("db"), ZONE)))
                                .pod("db", on("a2"), labels("app", "db")),
                        List.of("PreferredPodAntiAffinity apart from (app=db) by " + ZONE + ", weight 5: it shares "
                                + ZONE + "=a with shop/db")),
                argumentSet(
                        "a spread within maxSkew",
                        with(on("a1"), labels("app", "web"), softSpread(maxSkew(1, ZONE, app("web")))),
                        List.of()),
                argumentSet(
                        "a spread above maxSkew",
                        three(),
                        List.of(SPREAD + "=a has 3 matching pods, the smallest domain b has 0: skew 3, allowed 1")));
    }

    private static ClusterBuilder three(PodTrait... more) {
        PodTrait[] traits = Stream.concat(
                        Stream.of(on("a1"), labels("app", "web"), softSpread(maxSkew(1, ZONE, app("web")))),
                        Stream.of(more))
                .toArray(PodTrait[]::new);
        return with(traits).pod("w2", on("a1"), labels("app", "web")).pod("w3", on("a2"), labels("app", "web"));
    }

    @ParameterizedTest
    @MethodSource("unmet")
    void aRuleIsUnmetAsARequiredRuleWouldBeViolated(ClusterBuilder cluster, List<String> expected) {
        assertThat(rules(cluster).orElseThrow().unmet())
                .extracting(it -> it.rule().kind().label() + " " + it.rule().describe() + ": "
                        + it.detail().describe())
                .isEqualTo(expected);
    }

    static Stream<Arguments> withoutVerdict() {
        return Stream.of(
                argumentSet("unbound", (Object) new PodTrait[] {unbound()}),
                argumentSet("finished", (Object) new PodTrait[] {on("a1"), phase(Phase.SUCCEEDED)}),
                argumentSet("terminating", (Object) new PodTrait[] {on("a1"), terminating()}),
                argumentSet("on a node that does not exist", (Object) new PodTrait[] {on("gone")}));
    }

    @ParameterizedTest
    @MethodSource("withoutVerdict")
    void aPodWhoseRequiredRulesHaveNoVerdictHasNoSoftRules(PodTrait... traits) {
        assertThat(rules(with(traits))).isEmpty();
    }

    static Stream<Arguments> improvements() {
        return Stream.of(
                argumentSet(
                        "the only possible node meets the term",
                        with(on("a1"), preferring(5, SSD)),
                        possible("b1"),
                        5,
                        "gain 5 on [b1]"),
                argumentSet(
                        "a gain below minImprovement",
                        with(on("a1"), preferring(5, SSD)),
                        possible("b1"),
                        6,
                        "TooLittleGain: the scheduler may choose b1, where the gain is 5 and must be at least 6"),
                argumentSet(
                        "one of the possible nodes gains nothing",
                        with(on("a1"), preferring(5, SSD)),
                        possible("b1", "a2"),
                        1,
                        "TooLittleGain: the scheduler may choose a2, where the gain is 0 and must be at least 1"),
                argumentSet(
                        "the pod may land on its node again",
                        with(on("a1"), preferring(5, SSD)),
                        possible("a1"),
                        1,
                        "TooLittleGain: the scheduler may choose its node a1 again, where the gain is 0 and must be at"
                                + " least 1"),
                argumentSet(
                        "terms of a kind count together",
                        with(on("a1"), preferring(5, SSD), preferring(3, ZONE_A)),
                        possible("b1"),
                        3,
                        "TooLittleGain: the scheduler may choose b1, where the gain is 2 and must be at least 3"),
                argumentSet(
                        "pods of skew, with the pod itself on both sides",
                        three(),
                        possible("b1"),
                        1,
                        "gain 2 on [b1]"),
                argumentSet(
                        "the least gain of all possible nodes",
                        three().node("c1", zone("c")).pod("w4", on("b1"), labels("app", "web")),
                        possible("b1", "c1"),
                        1,
                        "gain 1 on [b1, c1]"),
                argumentSet(
                        "another kind would be worse met",
                        three(preferring(1, ZONE_A)),
                        possible("b1"),
                        1,
                        "OtherRuleWorse: the scheduler may choose b1, where PreferredNodeAffinity (" + ZONE
                                + " In [a], weight 1) is worse met"),
                argumentSet(
                        "another spread within its maxSkew is no worse",
                        three(softSpread(maxSkew(2, "disk", app("web")))).pod("w4", on("b1"), labels("app", "web")),
                        possible("b1"),
                        1,
                        "gain 1 on [b1]"),
                argumentSet(
                        "no node",
                        with(on("a1"), preferring(5, SSD)),
                        new Prediction.Nowhere(),
                        1,
                        "NoNode: no node would take the pod"),
                argumentSet(
                        "a term that the scheduler cannot read",
                        with(on("a1"), preferring(5, SSD)),
                        new Prediction.Refused(ScorePlugin.NODE_AFFINITY, "gen Gt [many]", "`many` is no number"),
                        1,
                        "PreferredTermInvalid: the scheduler cannot read the preferred term gen Gt [many]: `many` is no"
                                + " number; a replacement would stay Pending"),
                argumentSet(
                        "preferences that were not read",
                        with(on("a1"), preferring(5, SSD)),
                        new Prediction.Unread("it has 300 preferred terms"),
                        1,
                        "TooComplex: it has 300 preferred terms"));
    }

    private static Prediction possible(String... nodes) {
        return new Prediction.Possible(List.of(nodes), Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("improvements")
    void aMoveImprovesARuleOnlyIfItDoesOnEachPossibleNode(
            ClusterBuilder cluster, Prediction prediction, long minImprovement, String expected) {
        assertThat(text(improvement(cluster, prediction, minImprovement, NodeRejection.NONE)))
                .isEqualTo(expected);
    }

    @Test
    void aMoveThatWouldBeginAViolationIsNoImprovement() {
        ClusterBuilder cluster = with(on("a1"), preferring(5, SSD));

        assertThat(text(improvement(
                        cluster,
                        possible("b1"),
                        1,
                        NodeRejection.unless(node -> !node.name().equals("b1"), "of shop/x"))))
                .isEqualTo("StartsViolations: the scheduler may choose b1, which would begin a violation: of shop/x");
    }

    private static Improvement improvement(
            ClusterBuilder cluster, Prediction prediction, long minImprovement, NodeRejection violations) {
        SoftRules rules = rules(cluster).orElseThrow();
        return rules.improvement(rules.unmet().getFirst().rule(), prediction, minImprovement, violations);
    }

    private static String text(Improvement improvement) {
        return switch (improvement) {
            case Improvement.Certain(long gain, List<String> nodes) -> "gain " + gain + " on " + nodes;
            case Improvement.Uncertain(Improvement.Obstacle obstacle, String text) -> obstacle.label() + ": " + text;
        };
    }

    @Test
    void defaultConstraintsOfTheSchedulerAreSoftRulesOfPodsWithoutTheirOwn() {
        ReferenceCluster built = with(on("a1"), labels("app", "web"), spread(maxSkew(9, ZONE, app("web"))))
                .pod("w2", on("a1"), labels("app", "web"))
                .build();
        Pod own = built.pod("p").orElseThrow();
        Pod without = built.pod("w2").orElseThrow();
        SpreadDefaults defaults = SpreadDefaults.ofList(List.of(maxSkew(2, ZONE, app("any"))), new WorkloadSelectors() {
            @Override
            public Collection<Labels> ofServicesIn(String namespace) {
                return List.of(Labels.of(Map.of("app", "web")));
            }

            @Override
            public Optional<LabelSelector> ofController(String namespace, Controller controller) {
                return Optional.empty();
            }
        });

        assertThat(SoftRule.of(own, defaults)).extracting(SoftRule::describe).isEmpty();
        assertThat(SoftRule.of(without, defaults))
                .extracting(SoftRule::describe)
                .containsExactly("spread (app=web) by " + ZONE + ", maxSkew 2");
    }

    /** SC-PTS-10: such a node is scored without the constraint. */
    @Test
    void onANodeWithoutTheKeyASystemDefaultIsIgnored() {
        ReferenceCluster built = with(on("bare"), labels("app", "web"))
                .pod("w2", on("a1"), labels("app", "web"))
                .build();
        WorkloadSelectors selectors = new WorkloadSelectors() {
            @Override
            public Collection<Labels> ofServicesIn(String namespace) {
                return List.of(Labels.of(Map.of("app", "web")));
            }

            @Override
            public Optional<LabelSelector> ofController(String namespace, Controller controller) {
                return Optional.empty();
            }
        };
        SpreadDefaults ofList = SpreadDefaults.ofList(List.of(maxSkew(2, ZONE, app("any"))), selectors);

        assertThat(unmet(built, SpreadDefaults.ofSystem(selectors))).isEmpty();
        assertThat(unmet(built, ofList)).containsExactly("spread (app=web) by " + ZONE + ", maxSkew 2");
    }

    private static List<String> unmet(ReferenceCluster cluster, SpreadDefaults defaults) {
        return SoftRules.of(cluster.pod("p").orElseThrow(), cluster, defaults).orElseThrow().unmet().stream()
                .map(it -> it.rule().describe())
                .toList();
    }
}
