package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.testing.PodTrait;
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

        assertThat(engineScenario.rehearsals).isEmpty();
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.VERDICTS_DIFFER);
        assertThat(engineScenario.heldBecause())
                .startsWith("a check of the operator against itself failed, so no verdict is trusted: " + object
                        + " in version ")
                .contains(" is not in the cache as the API server has it. Please report this bug.");
        assertThat(engineScenario.differences.getFirst())
                .startsWith(object)
                .contains("; cached: ", "; at the API server: ");
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

    @Test
    void aPodThatCountsInTheCacheAndIsNotListedHoldsTheMove() {
        EngineScenario engineScenario = crowded()
                .happensUnseen(
                        podChanged("web-2", on("n1"), replicaOf("web"), labels("app", "other"), resourceVersion(90)))
                .reading(confirm ->
                        new Event.Confirmed(confirm.planId(), Optional.empty(), Optional.empty(), List.of()));
        engineScenario.reading(engineScenario::readTruth).afterSeconds(61);

        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.VIEW_BEHIND);
    }

    @Test
    void ofMorePodsThanAreReadTheMissingOnesProveNothing() {
        EngineScenario engineScenario = crowded();
        engineScenario
                .reading(confirm -> listing(engineScenario, confirm, new Event.CountedPods(List.of(), false)))
                .afterSeconds(61);
        assertThat(engineScenario.requests).hasSize(1);

        EngineScenario complete = crowded();
        complete.reading(confirm -> listing(complete, confirm, new Event.CountedPods(List.of(), true)))
                .afterSeconds(61);
        assertThat(complete.requests).isEmpty();
        assertThat(complete.held()).isEqualTo(Reason.VIEW_BEHIND);
        assertThat(complete.heldBecause()).contains(" was not in a new list of the pods that count");
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

    private static Optional<Effect.Counted> counted(EngineScenario engineScenario) {
        return engineScenario.afterSeconds(61).reads.getFirst().counted();
    }

    @Test
    void aRandomPodAndARandomNodeAreReadEachTenSeconds() {
        EngineScenario engineScenario = onWrongDisk();

        engineScenario.comparing(1).comparing(1).afterSeconds(9).comparing(1);
        assertThat(engineScenario.samples).hasSize(1);
        engineScenario.afterSeconds(1).comparing(1);

        assertThat(engineScenario.samples).hasSize(2).allSatisfy(sample -> {
            assertThat(sample.pod().name()).isEqualTo("web-1");
            assertThat(sample.node()).isIn("n1", "n2");
            assertThat(sample.counted()).isEmpty();
        });
        assertThat(engineScenario.difference).isEmpty();
    }

    @Test
    void aRandomReadFindsAWrongPodThatNoEvictionReads() {
        EngineScenario engineScenario = EngineScenario.begin(
                cluster().node("n1", labels("disk", "ssd")).pod("web-1", on("n1"), SSD), enforcing());
        engineScenario.happensUnseen(podChanged("web-1", on("n1"), SSD, labels("app", "other")));

        engineScenario.comparing(1);

        assertThat(engineScenario.differences.getLast()).startsWith("pod shop/web-1 in version ");
        assertThat(engineScenario.engine.views()).isNotEmpty();
    }

    @Test
    void anEmptyClusterHasNoSample() {
        EngineScenario engineScenario = EngineScenario.begin(cluster(), enforcing());

        engineScenario.comparing(1);

        assertThat(engineScenario.samples).isEmpty();
    }
}
