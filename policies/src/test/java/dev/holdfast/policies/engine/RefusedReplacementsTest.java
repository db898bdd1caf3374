package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.limitRangeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetFails;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests what follows when the API server refuses the new pods of a ReplicaSet, as its condition ReplicaFailure says.
 */
class RefusedReplacementsTest {
    private static final String BY_WEBHOOK = "pods \"web-\" is forbidden: image not signed";
    private static final String BY_QUOTA = "pods \"web-\" is forbidden: exceeded quota: q, requested: pods=1";
    private static final String FAILED = "Moved web-1 NOT_READY";

    private static EngineScenario broken(ClusterEvent... events) {
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 2)
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))
                .pod("web-2", on("n2"), replicaOf("web"), nodeSelector("disk", "ssd"));
        for (ClusterEvent event : events) {
            facts = facts.with(event);
        }
        return EngineScenario.begin(facts, enforcing());
    }

    /** {@return a scenario in which web-1 was evicted one second ago, and its controller has made no other pod} */
    private static EngineScenario evicted() {
        return broken().replacing(_ -> {}).afterSeconds(61);
    }

    private static ClusterEvent fails(String message) {
        return replicaSetFails("web", "web", 2, message);
    }

    @Test
    void noPodOfAReplicaSetThatCannotCreatePodsIsEvicted() {
        EngineScenario engineScenario = broken(fails(BY_WEBHOOK)).replacingOn("n2");

        engineScenario.afterSeconds(3_600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.REPLACEMENT_REFUSED);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("ReplicaSet shop/web cannot create pods (condition ReplicaFailure): " + BY_WEBHOOK);

        engineScenario.happens(replicaSetChanged("web", "web", 2)).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void noPodIsEvictedWhileALimitRangeRefusesItsReplacement() {
        LimitRange.Item minimum =
                new LimitRange.Item(LimitRange.Type.POD, Map.of(), Map.of("cpu", 100L), Map.of(), Map.of(), Map.of());
        EngineScenario engineScenario =
                broken(limitRangeChanged("small", minimum)).replacingOn("n2");

        engineScenario.afterSeconds(3_600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.REPLACEMENT_REFUSED);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("the API server would refuse the replacement: LimitRange small sets a minimum of 0.1 of cpu"
                        + " for each pod, and the pod requests none; change the LimitRange or the pod template");

        engineScenario.happens(new ClusterEvent.LimitRangeGone("small")).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aRefusalThatLastsTenSecondsIsTheOutcome() {
        EngineScenario engineScenario = evicted().happens(fails(BY_WEBHOOK));

        engineScenario.afterSeconds(9);
        assertThat(engineScenario.events()).doesNotContain(FAILED);
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.events()).contains(FAILED);
    }

    @Test
    void aRefusalByAQuotaLastsAMinuteBecauseTheQuotaCountsTheVictimForSomeTime() {
        EngineScenario engineScenario = evicted().happens(fails(BY_QUOTA));

        engineScenario.afterSeconds(59);
        assertThat(engineScenario.events()).doesNotContain(FAILED);
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.events()).contains(FAILED);
    }

    @Test
    void aRefusalByAQuotaIsNoOutcomeWhileTheVictimTerminates() {
        EngineScenario engineScenario = evicted()
                .happens(podChanged("web-1", on("n1"), replicaOf("web"), terminating(), resourceVersion(2)))
                .happens(fails(BY_QUOTA));

        engineScenario.afterSeconds(300);
        assertThat(engineScenario.events()).doesNotContain(FAILED);
        engineScenario.happens(podGone("web-1")).afterSeconds(60);

        assertThat(engineScenario.events()).contains(FAILED);
    }

    @Test
    void aShortRefusalIsNoOutcome() {
        EngineScenario engineScenario = evicted().happens(fails(BY_WEBHOOK));

        engineScenario.afterSeconds(9).happens(replicaSetChanged("web", "web", 2));
        engineScenario.afterSeconds(5).happens(fails(BY_WEBHOOK));
        engineScenario.afterSeconds(9);
        assertThat(engineScenario.events()).doesNotContain(FAILED);
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.events()).contains(FAILED);
    }

    @Test
    void aRefusalOfAnotherPodIsNoOutcomeOfAMoveWhoseReplacementWaitsForANode() {
        EngineScenario engineScenario = evicted()
                .happens(podChanged("web-3", unbound(), replicaOf("web"), nodeSelector("disk", "ssd")))
                .happens(fails(BY_WEBHOOK));

        engineScenario.afterSeconds(598);
        assertThat(engineScenario.events()).doesNotContain(FAILED);
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.events()).contains(FAILED);
    }

    @Test
    void aRefusalIsNoOutcomeWhileAViewIsLost() {
        EngineScenario engineScenario = evicted().happens(fails(BY_WEBHOOK)).loses(View.PODS);

        engineScenario.afterSeconds(60);
        assertThat(engineScenario.events()).doesNotContain(FAILED);
        engineScenario.event(new Event.ViewSynced(View.PODS)).afterSeconds(9);
        assertThat(engineScenario.events()).doesNotContain(FAILED);
        engineScenario.afterSeconds(2);

        assertThat(engineScenario.events()).contains(FAILED);
    }

    @Test
    void aReplacementThatIsReadyAfterAllLetsTheNextPodMove() {
        EngineScenario engineScenario = broken().happens(podChanged(
                        "web-2", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), resourceVersion(2)))
                .replacing(_ -> {})
                .afterSeconds(61)
                .happens(fails(BY_WEBHOOK))
                .afterSeconds(10);
        assertThat(engineScenario.events()).contains(FAILED);

        engineScenario
                .happens(replicaSetChanged("web", "web", 2))
                .happens(podChanged("web-3", on("n2"), replicaOf("web"), nodeSelector("disk", "ssd")));
        engineScenario.afterSeconds(61);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }
}
