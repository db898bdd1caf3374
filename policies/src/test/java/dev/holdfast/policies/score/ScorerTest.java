package dev.holdfast.policies.score;

import static dev.holdfast.policies.score.Choices.among;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.tooComplex;
import static dev.holdfast.policies.testing.PreferenceTraits.preferring;
import static dev.holdfast.policies.testing.PreferenceTraits.preferringNear;
import static dev.holdfast.policies.testing.PreferenceTraits.softSpread;
import static dev.holdfast.policies.testing.PreferenceTraits.unreadPreferences;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.score.NodeScore.Part;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ScorerTest {
    private static final SchedulerProfile DEFAULTS = SchedulerProfile.ofSoftRules(SpreadDefaults.none());
    private static final NodeSelectorTerm SSD = nodeTerm(expression("disk", "In", "ssd"));
    private static final NodeSelectorTerm UNUSABLE = nodeTerm(expression("gen", "Gt", "many"));

    /** A quarter of the cpu and memory of a node. */
    private static final PodTrait A_QUARTER = needing(PodRequirements.none()
            .requesting(List.of(
                    new Container("app", Role.APP, Map.of("cpu", 8_000L, "memory", (64L << 30) * 1_000), Map.of()))));

    static Stream<Arguments> rankings() {
        return Stream.of(
                row("SC-ALL-1: no node is feasible", pods(""), new Ranking.Unscored(Optional.empty()), List.of()),
                row(
                        "SC-ALL-1: the only feasible node is taken without scores",
                        pods("n2", preferring(5, SSD)),
                        new Ranking.Unscored(Optional.of("n2")),
                        List.of("n2")),
                row(
                        "SC-ALL-1: the only feasible node is taken even if the pod cannot be scored",
                        pods("n2", preferring(5, UNUSABLE)),
                        new Ranking.Unscored(Optional.of("n2")),
                        List.of("n2")),
                row(
                        "SC-ALL-6: a term that cannot be parsed leaves the pod Pending",
                        pods("n1 n2", preferring(5, SSD), preferring(1, UNUSABLE)),
                        new Ranking.Unscorable(
                                ScorePlugin.NODE_AFFINITY,
                                "gen Gt [many]",
                                "'gen Gt [many]': `values` must be exactly one 64-bit integer"),
                        List.of()),
                row(
                        "SC-ALL-6: a score outside of 0 to 100 leaves the pod Pending",
                        pods("n1 n2", preferring(-3, SSD), preferring(2, nodeTerm(expression("x", "DoesNotExist")))),
                        new Ranking.Unscorable(ScorePlugin.NODE_AFFINITY, "n1", "its score of -50 is not in 0 to 100"),
                        List.of()),
                row(
                        "too many preferences to be read",
                        pods("n1 n2", unreadPreferences("it has 300 terms")),
                        new Ranking.Unread("it has 300 terms"),
                        List.of()),
                row(
                        "a pod that is too complex to be read",
                        pods("n1 n2", tooComplex("it has 300 tolerations")),
                        new Ranking.Unread("it has 300 tolerations"),
                        List.of()),
                row(
                        "SC-ALL-4: the weighted sum of the plugins that do not skip the pod",
                        pods("n1 n2 n3", preferring(5, SSD)),
                        new Ranking.Scored(List.of(
                                node("n1", part(ScorePlugin.NODE_AFFINITY, 2, 5, 100), taints(0, 100)),
                                node("n2", part(ScorePlugin.NODE_AFFINITY, 2, 0, 0), taints(0, 100)),
                                node("n3", part(ScorePlugin.NODE_AFFINITY, 2, 5, 100), taints(1, 0)))),
                        List.of("n1")),
                row(
                        "SC-ALL-7: each node with the greatest total may be taken",
                        pods("n1 n2 n3"),
                        new Ranking.Scored(List.of(
                                node("n1", taints(0, 100)), node("n2", taints(0, 100)), node("n3", taints(1, 0)))),
                        List.of("n1", "n2")));
    }

    private static Arguments row(String name, Choice choice, Ranking expected, List<String> best) {
        return Arguments.argumentSet(name, choice, expected, best);
    }

    @ParameterizedTest
    @MethodSource("rankings")
    void theGreatestTotalIsBest(Choice choice, Ranking expected, List<String> best) {
        Ranking ranking = rank(DEFAULTS, choice);

        assertThat(ranking).isEqualTo(expected);
        assertThat(ranking.best()).isEqualTo(best);
    }

    static Stream<Arguments> totals() {
        return Stream.of(
                totals(
                        "SC-ALL-3: the default weights of all plugins",
                        SchedulerProfile.withDefaults(SpreadDefaults.none()),
                        Map.of("n1", 650L, "n2", 450L)),
                totals("SC-ALL-2: nodes that are not feasible do not matter", DEFAULTS, Map.of("n1", 500L, "n2", 300L)),
                totals(
                        "SC-ALL-4: other weights",
                        new SchedulerProfile(
                                Map.of(ScorePlugin.NODE_AFFINITY, 10, ScorePlugin.TAINT_TOLERATION, 1),
                                1,
                                false,
                                SpreadDefaults.none()),
                        Map.of("n1", 1_100L, "n2", 100L)));
    }

    private static Arguments totals(String name, SchedulerProfile profile, Map<String, Long> expected) {
        return Arguments.argumentSet(name, profile, expected);
    }

    @ParameterizedTest
    @MethodSource("totals")
    void totalsDependOnTheProfile(SchedulerProfile profile, Map<String, Long> expected) {
        assertThat(rank(profile, pods("n1 n2", preferring(5, SSD), A_QUARTER)))
                .isInstanceOfSatisfying(
                        Ranking.Scored.class,
                        scored -> assertThat(scored.nodes())
                                .allSatisfy(node -> assertThat(node.total()).isEqualTo(expected.get(node.node()))));
    }

    @Test
    void allPluginsOfSoftRulesAddUp() {
        Choice choice = pods(
                "n1 n2",
                labels("app", "web"),
                preferring(5, SSD),
                preferringNear(1, term(app("db"), ZONE)),
                softSpread(maxSkew(1, ZONE, app("db"))));

        assertThat(rank(DEFAULTS, choice))
                .isEqualTo(new Ranking.Scored(List.of(
                        node(
                                "n1",
                                part(ScorePlugin.NODE_AFFINITY, 2, 5, 100),
                                taints(0, 100),
                                part(ScorePlugin.INTER_POD_AFFINITY, 2, 0, 0),
                                part(ScorePlugin.POD_TOPOLOGY_SPREAD, 2, 0, 100)),
                        node(
                                "n2",
                                part(ScorePlugin.NODE_AFFINITY, 2, 0, 0),
                                taints(0, 100),
                                part(ScorePlugin.INTER_POD_AFFINITY, 2, 1, 100),
                                part(ScorePlugin.POD_TOPOLOGY_SPREAD, 2, 1, 0)))));
    }

    private static Ranking rank(SchedulerProfile profile, Choice choice) {
        return new Scorer(profile, choice.view()).rank(choice.pod(), choice.feasible());
    }

    private static NodeScore node(String name, Part... parts) {
        return new NodeScore(name, List.of(parts));
    }

    private static Part taints(long raw, long score) {
        return part(ScorePlugin.TAINT_TOLERATION, 3, raw, score);
    }

    private static Part part(ScorePlugin plugin, int weight, long raw, long score) {
        return new Part(plugin, weight, raw, score);
    }

    /** The pod p, and a choice among those of three nodes with these names. */
    private static Choice pods(String feasible, PodTrait... traits) {
        return among(
                cluster()
                        .node("n1", zone("a"), labels("disk", "ssd"))
                        .node("n2", zone("b"))
                        .node("n3", zone("b"), labels("disk", "ssd"), tainted("spot", "", "PreferNoSchedule"))
                        .pod("db", on("n2"), labels("app", "db"))
                        .pod("p", traits),
                node -> feasible.contains(node.name()));
    }
}
