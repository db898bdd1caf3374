package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.TermTrait;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of objects whose content in the cache is not that of the API server, although the version is the same. Only a
 * bug of the operator can cause that. {@code happensUnseen} makes such a difference.
 */
class WrongContentTest {
    private static final PodTrait SSD = nodeSelector("disk", "ssd");

    private static EngineScenario onWrongDisk() {
        return EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "ssd"))
                                .node("n2", labels("disk", "ssd"))
                                .replicaSet("web", 1)
                                .pod("web-1", on("n1"), replicaOf("web"), SSD),
                        enforcing())
                .happens(nodeChanged("n1", labels("disk", "hdd")));
    }

    private static EngineScenario besideDatabase() {
        PodTrait apart = apartFrom(term(app("db"), HOSTNAME));
        return EngineScenario.begin(
                cluster()
                        .node("n1", hostname("n1"))
                        .node("n2", hostname("n2"))
                        .replicaSet("web", 1)
                        .replicaSet("db", 1)
                        .pod("db-1", on("n1"), replicaOf("db"), labels("app", "db"))
                        .pod("web-1", on("n1"), replicaOf("web"), labels("app", "web"), apart),
                enforcing());
    }

    private static EngineScenario farFromCache() {
        return EngineScenario.begin(
                cluster()
                        .node("n1", zone("a"))
                        .node("n2", zone("b"))
                        .replicaSet("web", 1)
                        .replicaSet("cache", 2)
                        .pod("cache-1", on("n1"), replicaOf("cache"), labels("app", ""))
                        .pod("cache-2", on("n2"), replicaOf("cache"), labels("app", "cache"))
                        .pod("web-1", on("n1"), replicaOf("web"), labels("app", "web"), near(term(app("cache"), ZONE))),
                enforcing());
    }

    private static EngineScenario crowded() {
        PodTrait evenly = spread(maxSkew(1, ZONE, app("web")));
        return EngineScenario.begin(
                cluster()
                        .node("n1", zone("a"))
                        .node("n2", zone("b"))
                        .replicaSet("web", 2)
                        .pod("web-1", on("n1"), replicaOf("web"), labels("app", "web"), evenly)
                        .pod("web-2", on("n1"), replicaOf("web"), labels("app", "web"), evenly),
                enforcing());
    }

    static Stream<Arguments> wrongContents() {
        return Stream.of(
                argumentSet(
                        "a label of the victim",
                        onWrongDisk(),
                        podChanged("web-1", on("n1"), replicaOf("web"), SSD, labels("app", "other")),
                        "pod shop/web-1"),
                argumentSet(
                        "the node of the victim is right at the API server",
                        onWrongDisk(),
                        nodeChanged("n1", labels("disk", "ssd")),
                        "node n1"),
                argumentSet(
                        "a partner that anti-affinity does not match",
                        besideDatabase(),
                        podChanged("db-1", on("n1"), replicaOf("db"), labels("app", "cache")),
                        "pod shop/db-1"),
                argumentSet(
                        "the cache that affinity misses is there, and only its label was read wrongly",
                        farFromCache(),
                        podChanged("cache-1", on("n1"), replicaOf("cache"), labels("app", "cache")),
                        "pod shop/cache-1"),
                argumentSet(
                        "a pod that a spread counts is on another node",
                        crowded(),
                        podChanged(
                                "web-1",
                                on("n2"),
                                replicaOf("web"),
                                labels("app", "web"),
                                spread(maxSkew(1, ZONE, app("web")))),
                        "pod shop/web-1"));
    }

    @ParameterizedTest
    @MethodSource("wrongContents")
    void aDifferenceInTheSameVersionStopsAllEvictionsAndTheLogHasBothContents(
            EngineScenario engineScenario, ClusterEvent truth, String object) {
        engineScenario.happensUnseen(truth).afterSeconds(120);

        assertThat(engineScenario.dryRuns).isEmpty();
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.VERDICTS_DIFFER);
        assertThat(engineScenario.heldBecause())
                .startsWith("a check of the operator against itself failed, so no verdict is trusted: " + object
                        + " in version ")
                .contains(" has other ", " in the cache than at the API server. Please report this bug.");
        assertThat(engineScenario.differences.getFirst())
                .startsWith(object)
                .contains(" cached ", ", at the API server ");
    }

    @Test
    void anotherVersionProvesNothingBecauseTheObjectMayHaveChangedMeanwhile() {
        EngineScenario engineScenario = onWrongDisk()
                .happensUnseen(podChanged(
                        "web-1", on("n1"), replicaOf("web"), SSD, labels("app", "other"), resourceVersion(90)))
                .afterSeconds(61);

        assertThat(engineScenario.difference).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.VIEW_BEHIND);
    }

    static Stream<Arguments> lists() {
        return Stream.of(
                argumentSet("a complete list without it holds the move", true, 90L, true),
                argumentSet("a list that is not complete proves nothing", false, 90L, false),
                argumentSet("a list of an older version need not have it", true, 0L, false));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void aPodThatCountsInTheCacheMustBeInTheList(boolean complete, long version, boolean held) {
        for (EngineScenario engineScenario : List.of(crowded(), farFromCache())) {
            engineScenario
                    .reading(confirm ->
                            listing(engineScenario, confirm, new Event.CountedPods(List.of(), version, complete)))
                    .afterSeconds(61);

            assertThat(engineScenario.requests.isEmpty()).isEqualTo(held);
            if (held) {
                assertThat(engineScenario.held()).isEqualTo(Reason.VIEW_BEHIND);
                assertThat(engineScenario.heldBecause()).contains(" was not in a new list of the pods that count");
            }
        }
    }

    @Test
    void aFinishedPodNeedNotBeInTheList() {
        EngineScenario engineScenario = farFromCache();
        engineScenario
                .happens(podChanged(
                        "cache-2", on("n2"), replicaOf("cache"), labels("app", "cache"), phase(Phase.SUCCEEDED)))
                .reading(confirm ->
                        listing(engineScenario, confirm, new Event.CountedPods(List.of(), Long.MAX_VALUE, true)))
                .afterSeconds(61);

        assertThat(engineScenario.holds()).doesNotContain(Reason.VIEW_BEHIND);
    }

    private static Event listing(EngineScenario engineScenario, Effect.Confirm confirm, Event.CountedPods listed) {
        Event.Confirmed truth = (Event.Confirmed) engineScenario.readTruth(confirm);
        return new Event.Confirmed(truth.planId(), truth.pod(), truth.node(), truth.partners(), Optional.of(listed));
    }

    @Test
    void theRulesThatCountPodsListThem() {
        assertThat(counted(onWrongDisk())).isEmpty();
        assertThat(counted(besideDatabase())).isEmpty();
        assertThat(counted(farFromCache())).contains(new Effect.Counted(Optional.of("shop"), app("cache")));
        assertThat(counted(crowded())).contains(new Effect.Counted(Optional.of("shop"), app("web")));
    }

    @Test
    void theNamespacesOfAnAffinityTermSayWhereItsPodsAreListed() {
        assertThat(counted(nearCacheOf(namespaces("data"))))
                .contains(new Effect.Counted(Optional.of("data"), app("cache")));
        assertThat(counted(nearCacheOf(namespaces("data", "lake"))))
                .contains(new Effect.Counted(Optional.empty(), app("cache")));
        assertThat(counted(nearCacheOf(namespaceSelector(app("data")))))
                .contains(new Effect.Counted(Optional.empty(), app("cache")));
    }

    private static EngineScenario nearCacheOf(TermTrait namespaces) {
        return EngineScenario.begin(
                cluster()
                        .namespace("data", labels("app", "data"))
                        .node("n1", zone("a"))
                        .node("n2", zone("b"))
                        .replicaSet("web", 1)
                        .pod("cache-1", in("data"), on("n2"), labels("app", "cache"))
                        .pod(
                                "web-1",
                                on("n1"),
                                replicaOf("web"),
                                labels("app", "web"),
                                near(term(app("cache"), ZONE, namespaces))),
                enforcing());
    }

    private static Optional<Effect.Counted> counted(EngineScenario engineScenario) {
        return engineScenario.afterSeconds(61).reads.getFirst().counted();
    }

    @Test
    void aRandomPodAndARandomNodeAreReadEachTenSeconds() {
        EngineScenario engineScenario = EngineScenario.begin(
                cluster().node("n1").node("n2").pod("web-1", on("n1")).pod("web-2", on("n2")), enforcing());

        engineScenario.comparing(1).comparing(1).afterSeconds(9).comparing(1);
        assertThat(engineScenario.samples).hasSize(1);
        for (int i = 0; i < 40; i++) {
            engineScenario.afterSeconds(10).comparing(1);
        }

        assertThat(engineScenario.samples).hasSize(41);
        assertThat(engineScenario.samples)
                .extracting(sample -> sample.pod().name())
                .contains("web-1", "web-2");
        assertThat(engineScenario.samples).extracting(Effect.Confirm::node).contains("n1", "n2");
        assertThat(engineScenario.difference).isEmpty();
    }

    @Test
    void aRandomReadThatFindsAWrongPodStopsTheEvictionsOfOthers() {
        EngineScenario engineScenario = onWrongDisk();
        engineScenario.happensUnseen(nodeChanged("n2", labels("disk", "ssd", "rack", "r1")));

        for (int i = 0; i < 5; i++) {
            engineScenario.afterSeconds(10).comparing(1);
        }
        engineScenario.afterSeconds(60);

        assertThat(engineScenario.differences.getFirst())
                .startsWith("node n2 in version ")
                .contains(" has other labels in the cache than at the API server: labels cached ");
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.VERDICTS_DIFFER);
    }

    @Test
    void aSampleThatFindsNothingMakesNoNewPlan() {
        EngineScenario engineScenario = onWrongDisk();
        engineScenario.comparing(1).afterSeconds(10);
        Optional<Instant> planned = engineScenario.activity().lastPlan();

        engineScenario.afterSeconds(1).comparing(1);

        assertThat(engineScenario.samples).hasSize(2);
        assertThat(engineScenario.activity().lastPlan()).isEqualTo(planned);
    }

    @Test
    void anOperatorThatOnlyAuditsReadsNoSample() {
        EngineScenario engineScenario = onWrongDisk();
        engineScenario
                .event(new Event.ModeCapped(Mode.AUDIT, "the right to evict is missing"))
                .comparing(1);

        assertThat(engineScenario.samples).isEmpty();
    }

    @Test
    void anEmptyClusterHasNoSample() {
        EngineScenario engineScenario = EngineScenario.begin(cluster(), enforcing());

        engineScenario.comparing(1);

        assertThat(engineScenario.samples).isEmpty();
    }
}
