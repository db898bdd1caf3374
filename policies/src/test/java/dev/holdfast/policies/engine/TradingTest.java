package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.EngineScenario.settingsWithout;
import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.alsoAsking;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.insisting;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that no pod is moved if the move heals one rule and breaks another: the cache needs a disk that only nodes of
 * zone b have.
 */
class TradingTest {
    private static final PodTrait NEAR_CACHE = near(term(app("cache"), ZONE));

    /** {@return a cluster with two zones, with the disk only in zone b and a cache in zone a} */
    private static ClusterBuilder disks() {
        return cluster()
                .node("a1", labels(ZONE, "a", HOSTNAME, "a1"))
                .node("b1", labels(ZONE, "b", HOSTNAME, "b1", "disk", "ssd"))
                .replicaSet("cache", 1)
                .pod("cache-1", on("a1"), replicaOf("cache"), nodeSelector("disk", "ssd"));
    }

    private static ClusterBuilder web(ClusterBuilder facts, String name, String node, PodTrait trait) {
        return facts.pod(name, on(node), replicaOf("web"), trait);
    }

    /** {@return an enforcing policy that also audits a rule of its own: pods must not be on a node with a cache} */
    private static Policy apart() {
        return alsoAsking(
                "apart",
                new Rule.PodAntiAffinity(term(app("cache"), HOSTNAME)),
                new Enforcement(Mode.AUDIT, FORGIVENESS, WhenInfeasible.WAIT),
                enforcing());
    }

    static Stream<Arguments> moves() {
        PodTrait evenly = spread(maxSkew(1, ZONE, app("cache")));
        PodTrait anything = _ -> {};
        return Stream.of(
                row("no other pod exists", disks(), enforcing(), true),
                row(
                        "the only pod that must be near the cache stays in zone a",
                        web(disks(), "web-1", "a1", NEAR_CACHE),
                        enforcing(),
                        false),
                row(
                        "the only pod that must be near the cache stays in zone a, with whenInfeasible: Evict",
                        web(disks(), "web-1", "a1", NEAR_CACHE),
                        insisting("web"),
                        false),
                row(
                        "the pod that must be near a cache has another cache in zone a",
                        web(disks(), "web-1", "a1", NEAR_CACHE).pod("cache-2", on("a1"), replicaOf("cache")),
                        enforcing(),
                        true),
                row(
                        "another node in the same zone has the disk",
                        web(disks(), "web-1", "a1", NEAR_CACHE)
                                .node("a2", labels(ZONE, "a", HOSTNAME, "a2", "disk", "ssd")),
                        enforcing(),
                        true),
                row(
                        "a policy keeps the pod on the target node apart from the cache",
                        web(disks(), "web-1", "b1", anything),
                        apart(),
                        false),
                row(
                        "a policy keeps a pod on each of the two nodes apart from the cache",
                        web(web(disks(), "web-1", "b1", anything), "web-2", "a1", anything),
                        apart(),
                        true),
                row(
                        "a policy keeps two pods on the target node, and one on the present node, apart from the cache",
                        web(
                                web(web(disks(), "web-1", "b1", anything), "web-2", "a1", anything),
                                "web-3",
                                "b1",
                                anything),
                        apart(),
                        false),
                row(
                        "a pod spreads caches evenly, 2 in a and 1 in b: 1 and 2 after the move",
                        web(disks(), "web-1", "b1", evenly)
                                .pod("cache-2", on("a1"), replicaOf("cache"))
                                .pod("cache-3", on("b1"), replicaOf("cache")),
                        enforcing(),
                        true),
                row(
                        "a cache spreads caches evenly, 1 in a and 1 in b: 0 and 2 after the move",
                        disks().pod("cache-2", on("b1"), replicaOf("cache"), evenly),
                        enforcing(),
                        false));
    }

    private static Arguments row(String name, ClusterBuilder facts, Policy policy, boolean moved) {
        return argumentSet(name, facts, policy, moved);
    }

    @ParameterizedTest
    @MethodSource("moves")
    void aPodIsMovedWhereLessIsBrokenAfterIt(ClusterBuilder facts, Policy policy, boolean moved) {
        EngineScenario engineScenario =
                EngineScenario.begin(facts, policy).replacingOn("b1").afterSeconds(600);

        assertThat(engineScenario.evicted()).filteredOn("cache-1"::equals).hasSize(moved ? 1 : 0);
        assertThat(engineScenario.holds().contains(Reason.TRADES_VIOLATIONS)).isEqualTo(!moved);
    }

    @Test
    void ofTwoPodsThatAreAllThatAnotherMustBeNearTheSecondStays() {
        PodTrait store = labels("role", "store");
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("a1", labels(ZONE, "a", HOSTNAME, "a1"))
                                .node("b1", labels(ZONE, "b", HOSTNAME, "b1", "disk", "ssd"))
                                .pod("cache-1", on("a1"), replicaOf("cache"), store, nodeSelector("disk", "ssd"))
                                .pod("index-1", on("a1"), replicaOf("index"), store, nodeSelector("disk", "ssd"))
                                .pod(
                                        "web-1",
                                        on("a1"),
                                        replicaOf("web"),
                                        near(term(matchLabels("role", "store"), ZONE))),
                        enforcing())
                .replacingOn("b1")
                .afterSeconds(600);

        assertThat(engineScenario.evicted()).hasSize(1);
        assertThat(engineScenario.heldBecause())
                .isEqualTo(
                        "on each node that has room for it, the move would break at least as many rules as it heals: of"
                                + " 1 other node: 1 where it would break rules of other pods");
    }

    @Test
    void whoWasInTheWayOfOneAndLeavesTooIsInTheWayNoMoreInTheSamePlan() {
        EngineScenario engineScenario = EngineScenario.begin(
                        settingsWithout(Set.of(Reason.SLOW_START)), stores("web", "cache", "index"), enforcing())
                .replacingOn("b1")
                .afterSeconds(60);

        assertThat(engineScenario.evicted()).containsExactly("cache-1", "web-1", "index-1");
    }

    /**
     * {@return a cluster with zones a and b, the disk only in zone b, stores in zone a that need the disk, and a pod in
     * zone a that must be in the zone of a store and needs the disk too}
     *
     * @param ofWeb the workload of this pod
     * @param stores the workloads of the stores
     */
    private static ClusterBuilder stores(String ofWeb, String... stores) {
        PodTrait store = labels("role", "store");
        PodTrait needsDisk = nodeSelector("disk", "ssd");
        ClusterBuilder facts = cluster()
                .node("a1", labels(ZONE, "a", HOSTNAME, "a1"))
                .node("a2", labels(ZONE, "a", HOSTNAME, "a2"))
                .node("b1", labels(ZONE, "b", HOSTNAME, "b1", "disk", "ssd"))
                .pod("log-1", on("b1"), replicaOf("log"), store)
                .pod("web-1", on("a2"), replicaOf(ofWeb), near(term(matchLabels("role", "store"), ZONE)), needsDisk);
        Stream.of(stores).forEach(name -> facts.pod(name + "-1", on("a1"), replicaOf(name), store, needsDisk));
        return facts;
    }

    private static EngineScenario neverAnswered(ClusterBuilder facts) {
        return EngineScenario.begin(settingsWithout(Set.of(Reason.SLOW_START)), facts, enforcing())
                .neverAnswering(Effect.Confirm.class)
                .afterSeconds(60);
    }

    @Test
    void aHeldPodMovesOnceThePodThatMustBeNearItIsGone() {
        EngineScenario engineScenario = EngineScenario.begin(web(disks(), "web-1", "a1", NEAR_CACHE), enforcing())
                .replacingOn("b1")
                .afterSeconds(600);
        assertThat(engineScenario.holds()).containsExactly(Reason.TRADES_VIOLATIONS);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.happens(podGone("web-1")).afterSeconds(600);

        assertThat(engineScenario.evicted()).containsExactly("cache-1");
    }

    @Test
    void aPodThatIsCheckedAgainIsHeldByALimitThatWasReachedMeanwhile() {
        EngineScenario another = neverAnswered(stores("web", "cache", "index"));
        EngineScenario ofTheSameWorkload = neverAnswered(stores("index", "cache", "index"));

        assertThat(another.reads).extracting(read -> read.pod().name()).containsExactly("cache-1", "web-1", "index-1");
        assertThat(ofTheSameWorkload.reads)
                .extracting(read -> read.pod().name())
                .containsExactly("cache-1", "web-1");
    }

    @Test
    void aPodThatAnotherMustBeNearStaysUntilTheOtherHasGone() {
        EngineScenario engineScenario = neverAnswered(stores("web", "index"));

        assertThat(engineScenario.reads).extracting(read -> read.pod().name()).containsExactly("web-1");
        assertThat(engineScenario.holds()).containsExactly(Reason.TRADES_VIOLATIONS);
    }
}
