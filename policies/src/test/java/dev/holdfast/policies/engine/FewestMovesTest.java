package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.engine.TestPolicies.policy;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests in whole scenarios that no more pods are moved than the rule needs, and that the rule holds at the end. */
class FewestMovesTest {
    private static final PodTrait TOGETHER = near(term(app("web"), ZONE));
    private static final PodTrait APART = apartFrom(term(app("web"), HOSTNAME));
    private static final PodTrait APART_FROM_HUB = apartFrom(term(app("hub"), HOSTNAME));
    private static final NodeTrait SSD = labels("disk", "ssd");

    private static PodTrait evenly(int maxSkew, String topologyKey) {
        return spread(maxSkew(maxSkew, topologyKey, app("web")));
    }

    /** {@return a cluster with these numbers of pods in the zones a, b, c and so on, which have one node each} */
    private static ClusterBuilder web(PodTrait demand, int... pods) {
        ClusterBuilder facts = cluster();
        int name = 1;
        for (int i = 0; i < pods.length; i++) {
            String zone = String.valueOf((char) ('a' + i));
            facts.node(zone, zone(zone), hostname(zone));
            for (int pod = 0; pod < pods[i]; pod++) {
                facts.pod("web-" + name++, on(zone), replicaOf("web"), demand);
            }
        }
        return facts;
    }

    private static ClusterBuilder hubAndLeaves() {
        return web(APART_FROM_HUB, 3, 0).pod("web-hub", on("a"), replicaOf("hub"), APART);
    }

    /** {@return a hub that lost the disk that it needs, and a pod on its node that must be apart from it} */
    private static ClusterBuilder oneChangeTwoRules() {
        return cluster()
                .node("a", zone("a"), hostname("a"))
                .node("b", zone("b"), hostname("b"), SSD)
                .node("c", zone("c"), hostname("c"))
                .pod("hub-1", on("a"), replicaOf("hub"), nodeSelector("disk", "ssd"))
                .pod("web-1", on("a"), replicaOf("web"), APART_FROM_HUB);
    }

    /**
     * {@return two pods on nodes without the disk that they need, one after the other in moving, and pods near them}
     */
    private static ClusterBuilder twoThatMustGo() {
        return cluster()
                .node("a", zone("a"), hostname("a"), SSD)
                .node("b", zone("b"), hostname("b"))
                .node("c", zone("c"), hostname("c"))
                .node("d", zone("d"), hostname("d"), SSD)
                .pod("hub-1", on("c"), replicaOf("hub"), nodeSelector("disk", "ssd"))
                .pod("hub-2", on("b"), replicaOf("hub"), nodeSelector("disk", "ssd"))
                .pod("web-1", on("c"), replicaOf("web"), APART_FROM_HUB)
                .pod("web-2", on("b"), replicaOf("web"), APART_FROM_HUB);
    }

    /** {@return zone a with 3 pods and zone b with 1, of which one pod in zone a must leave its node without a disk} */
    private static ClusterBuilder unevenWithOneThatMustGo() {
        PodTrait byZone = evenly(1, ZONE);
        return cluster()
                .node("a", zone("a"), hostname("a"), SSD)
                .node("b", zone("b"), hostname("b"), SSD)
                .node("c", zone("a"), hostname("c"))
                .pod("web-1", on("a"), replicaOf("web"), byZone)
                .pod("web-2", on("a"), replicaOf("web"), byZone)
                .pod("web-3", on("b"), replicaOf("web"), byZone)
                .pod(
                        "zoo-1",
                        on("c"),
                        labels("app", "web"),
                        ownedBy("ReplicaSet", "zoo", "zoo"),
                        nodeSelector("disk", "ssd"));
    }

    /** {@return a cache that conflicts with a batch pod in zone a, and two pods in zone b that must be near a cache} */
    private static ClusterBuilder cacheAwayFromTwo() {
        PodTrait nearCache = near(term(app("zcache"), ZONE));
        return cluster()
                .node("a", zone("a"), hostname("a"))
                .node("b", zone("b"), hostname("b"))
                .pod("batch-1", on("a"), replicaOf("batch"))
                .pod("web-1", on("b"), replicaOf("web"), nearCache)
                .pod("web-2", on("b"), replicaOf("web"), nearCache)
                .pod("zcache-1", on("a"), replicaOf("zcache"), apartFrom(term(app("batch"), HOSTNAME)));
    }

    /** The hub's rule is only audited, so it stays, and the pod that must be apart from it moves. */
    @Test
    void aPodWaitsForNoMoveThatIsOnlyAudited() {
        Policy audit = over(matchLabels("app", "hub"), policy("audit", Mode.AUDIT, FORGIVENESS, WhenInfeasible.WAIT));
        EngineScenario engineScenario = EngineScenario.begin(
                        oneChangeTwoRules(), audit, over(matchLabels("app", "web"), enforcing()))
                .afterSeconds(62);

        assertThat(engineScenario.reads).extracting(read -> read.pod().name()).containsExactly("web-1");
    }

    static Stream<Arguments> rows() {
        PodTrait byZone = evenly(1, ZONE);
        return Stream.of(
                row("spread [1,1]", web(byZone, 1, 1), List.of(), 1, 1),
                row("spread [4,0]: two, not three", web(byZone, 4, 0), List.of("web-1", "web-2"), 2, 2),
                row("spread [3,1]", web(byZone, 3, 1), List.of("web-1"), 2, 2),
                row("spread [5,0]", web(byZone, 5, 0), List.of("web-1", "web-2"), 3, 2),
                row("spread [5,1,1]", web(byZone, 5, 1, 1), List.of("web-1", "web-2"), 3, 2, 2),
                row("spread [6,0,0]", web(byZone, 6, 0, 0), List.of("web-1", "web-2", "web-3", "web-4"), 2, 2, 2),
                row("spread [5,4,0]: one of each", web(byZone, 5, 4, 0), List.of("web-1", "web-2", "web-6"), 3, 3, 3),
                row("spread [5,2], maxSkew 2", web(evenly(2, ZONE), 5, 2), List.of("web-1"), 4, 3),
                row("spread by node [3,0]", web(evenly(1, HOSTNAME), 3, 0), List.of("web-1"), 2, 1),
                row(
                        "spread of two owners that count together [2 + 2,0]",
                        web(byZone, 2, 0)
                                .pod(
                                        "api-1",
                                        on("a"),
                                        labels("app", "web"),
                                        ownedBy("ReplicaSet", "api", "api"),
                                        byZone)
                                .pod(
                                        "api-2",
                                        on("a"),
                                        labels("app", "web"),
                                        ownedBy("ReplicaSet", "api", "api"),
                                        byZone),
                        List.of("api-1", "api-2"),
                        2,
                        2),
                row("together [3,1]: the single pod", web(TOGETHER, 3, 1), List.of("web-4"), 4, 0),
                row("together [3,2]: no single pod", web(TOGETHER, 3, 2), List.of(), 3, 2),
                row("together [1,1]: one of two", web(TOGETHER, 1, 1), List.of("web-1"), 0, 2),
                row("together [1,1,1]: two of three", web(TOGETHER, 1, 1, 1), List.of("web-1", "web-3"), 0, 3, 0),
                row(
                        "together [2,1,1]: one single pod joins the other",
                        web(TOGETHER, 2, 1, 1),
                        List.of("web-3"),
                        2,
                        0,
                        2),
                row("apart [2,0]: one of two", web(APART, 2, 0), List.of("web-1"), 1, 1),
                row(
                        "apart [4,0,0,0]: three of four",
                        web(APART, 4, 0, 0, 0),
                        List.of("web-1", "web-2", "web-3"),
                        1,
                        1,
                        1,
                        1),
                row("apart: the one pod that conflicts with three", hubAndLeaves(), List.of("web-hub"), 3, 1),
                row("apart [3,0]: no node for the third", web(APART, 3, 0), List.of("web-1"), 2, 1),
                row("one change breaks two rules: one pod", oneChangeTwoRules(), List.of("hub-1"), 1, 1, 0),
                row(
                        "two pods that must go, one at a time: those apart from them stay",
                        twoThatMustGo(),
                        List.of("hub-1", "hub-2"),
                        1,
                        1,
                        1,
                        1),
                row(
                        "spread [3,1] with one pod that must leave its node: that pod alone",
                        unevenWithOneThatMustGo(),
                        List.of("zoo-1"),
                        2,
                        2,
                        0),
                row(
                        "the cache that conflicts, not the two that must be near it",
                        cacheAwayFromTwo(),
                        List.of("zcache-1"),
                        1,
                        3));
    }

    private static Arguments row(String name, ClusterBuilder facts, List<String> evicted, int... ending) {
        return argumentSet(name, facts, evicted, ending);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void onlyThoseAreMovedThatTheRuleNeeds(ClusterBuilder facts, List<String> evicted, int[] ending) {
        EngineScenario engineScenario = EngineScenario.begin(facts, enforcing()).scheduling();

        engineScenario.after(Duration.ofDays(1));

        assertThat(engineScenario.evicted()).containsExactlyElementsOf(evicted);
        assertThat(counts(engineScenario)).isEqualTo(expected(ending));
    }

    private static Map<String, Integer> counts(EngineScenario engineScenario) {
        Map<String, Integer> counts = new TreeMap<>();
        engineScenario.truth.nodes().forEach(node -> counts.put(node.name(), 0));
        engineScenario.truth.pods().forEach(pod -> counts.merge(pod.nodeName().orElse("pending"), 1, Integer::sum));
        return counts;
    }

    private static Map<String, Integer> expected(int... ending) {
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < ending.length; i++) {
            counts.put(String.valueOf((char) ('a' + i)), ending[i]);
        }
        return counts;
    }
}
