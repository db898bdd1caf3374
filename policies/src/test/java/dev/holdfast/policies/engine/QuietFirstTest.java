package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.beingDisrupted;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that a pod is not moved while another change of the pod, its workload or its node is in progress. */
class QuietFirstTest {
    private static final Policy PATIENT = enforcing("web", Duration.ofMinutes(10));

    /** {@return a scenario with a pod on a node that lost the label that the pod needs; n2 would take the pod} */
    private static EngineScenario broken(PodTrait... traits) {
        return EngineScenario.begin(
                cluster()
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .replicaSet("web", 1)
                        .with(web(1, traits)),
                enforcing());
    }

    private static ClusterEvent web(long version, PodTrait... traits) {
        List<PodTrait> all = new ArrayList<>(
                List.of(on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), resourceVersion(version)));
        all.addAll(List.of(traits));
        return podChanged("web-1", all.toArray(PodTrait[]::new));
    }

    @Test
    void aPodThatDoesNotStartIsMovedTenMinutesAfterItsBinding() {
        EngineScenario engineScenario =
                broken(phase(Phase.PENDING), bound(EngineScenario.START)).afterSeconds(599);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).containsExactly(Reason.NOT_STARTED);

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aPodThatStartsWhileItIsHeldForThatIsMovedAtOnce() {
        EngineScenario engineScenario =
                broken(phase(Phase.PENDING), bound(EngineScenario.START)).afterSeconds(100);
        assertThat(engineScenario.held()).isEqualTo(Reason.NOT_STARTED);

        engineScenario.happens(web(2, bound(EngineScenario.START))).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aPodThatAnotherClientIsAboutToRemoveIsLeftToItUntilItGivesUp() {
        EngineScenario engineScenario =
                broken().happens(web(2, beingDisrupted())).afterSeconds(3600);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).containsExactly(Reason.BEING_DISRUPTED);

        engineScenario.happens(web(3)).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aPodThatAnotherClientComesToRemoveDuringTheDryRunOfItsEvictionIsLeftToIt() {
        EngineScenario engineScenario = broken().duringDryRun(new Event.ObjectChanged(web(2, beingDisrupted())))
                .afterSeconds(60);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).containsExactly(Reason.BEING_DISRUPTED);
    }

    @Test
    void aPodOfANodeThatIsDrainedIsLeftToTheDrainAndMovedWhenThatHasStopped() {
        EngineScenario engineScenario = broken().happens(nodeChanged("n1", labels("disk", "hdd"), cordoned()))
                .happens(podChanged("api-1", on("n1"), replicaOf("api")))
                .afterSeconds(50)
                .happens(podChanged(
                        "api-1",
                        on("n1"),
                        replicaOf("api"),
                        terminating(EngineScenario.START.plusSeconds(80)),
                        resourceVersion(2)))
                .afterSeconds(30);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).containsExactly(Reason.NODE_LEAVING);

        engineScenario.happens(podGone("api-1")).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void ofTwoThatMustBeApartFromTheirLikeTheOneThatStaysWaitsForTheOneThatLeaves() {
        PodTrait apart = apartFrom(term(app("web"), HOSTNAME));
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", hostname("n1"))
                                .node("n2", hostname("n2"))
                                .replicaSet("web", 2)
                                .pod("web-1", on("n1"), replicaOf("web"), apart)
                                .pod("web-2", on("n1"), replicaOf("web"), apart, terminating(EngineScenario.START)),
                        enforcing())
                .afterSeconds(60);

        assertThat(engineScenario.holds()).containsExactly(Reason.PARTNERS_LEAVING);
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void whatWouldBeMovedIsShownAsHeldWithinTenSecondsAfterItsWorkloadIsDisturbed() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"))
                                .replicaSet("web", 2)
                                .with(web(1))
                                .pod("web-2", on("n2"), replicaOf("web")),
                        auditing())
                .afterSeconds(60);

        engineScenario
                .happens(podChanged("web-2", on("n2"), replicaOf("web"), notReady(), resourceVersion(2)))
                .afterSeconds(9);
        assertThat(engineScenario.events()).containsExactly("Started web-1", "WouldEvict web-1");
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.events())
                .containsExactly("Started web-1", "WouldEvict web-1", "Held web-1 WorkloadUnsettled");
    }

    /**
     * {@return a scenario with pods of a Deployment on a node that lost the label that they need; they are due after
     * ten minutes, and n2 would take them}
     */
    private static EngineScenario brokenWorkload(int pods) {
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", pods);
        for (int i = 1; i <= pods; i++) {
            facts.with(pod("web-" + i, "web"));
        }
        return EngineScenario.begin(facts, PATIENT);
    }

    private static ClusterEvent pod(String name, String replicaSet, PodTrait... traits) {
        List<PodTrait> all = new ArrayList<>(
                List.of(on("n1"), ownedBy("ReplicaSet", replicaSet, replicaSet), nodeSelector("disk", "ssd")));
        all.addAll(List.of(traits));
        return podChanged(name, all.toArray(PodTrait[]::new));
    }

    @Test
    void ofADeploymentThatIsRolledOutNoPodIsEvictedBeforeThatIs300SOver() {
        EngineScenario engineScenario = brokenWorkload(3).afterSeconds(500);

        engineScenario
                .happens(pod("new-1", "web-new", on("n2"), notReady()))
                .happens(replicaSetChanged("web", "web-new", 3))
                .afterSeconds(60)
                .happens(podGone("web-1"))
                .happens(pod("new-2", "web-new", on("n2"), notReady()))
                .afterSeconds(60)
                .happens(podGone("web-2"))
                .afterSeconds(299);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).containsOnly(Reason.WORKLOAD_UNSETTLED);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("pod shop/new-2 was created, and Deployment shop/web is given 300 s to settle after that");

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-3");
    }

    @Test
    void aWorkloadThatIsScaledIsLeftAloneFor300S() {
        EngineScenario engineScenario = brokenWorkload(2)
                .afterSeconds(590)
                .happens(pod("web-3", "web", on("n2")))
                .afterSeconds(299);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aPodThatKeepsFailingHoldsItsSiblingsForEverAndIsSeenTo() {
        EngineScenario engineScenario = brokenWorkload(1).happens(pod("web-2", "web", on("n2")));

        for (int i = 0; i < 50; i++) {
            engineScenario.afterSeconds(100).happens(pod("web-2", "web", on("n2"), notReady()));
            engineScenario.afterSeconds(100).happens(pod("web-2", "web", on("n2")));
        }

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.report(PATIENT).holds()).isEqualTo(Map.of(Reason.WORKLOAD_UNSETTLED, 1));
        assertThat(engineScenario.heldBecause())
                .isEqualTo(
                        "pod shop/web-2 is not Ready any more, and Deployment shop/web is given 300 s to settle after"
                                + " that");
    }

    @Test
    void aPodThatKeepsFailingItselfIsMoved() {
        EngineScenario engineScenario = brokenWorkload(1);

        for (int i = 0; i < 10; i++) {
            engineScenario.afterSeconds(30).happens(pod("web-1", "web", notReady()));
            engineScenario.afterSeconds(30).happens(pod("web-1", "web"));
        }

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void whatHappensToAWorkloadDuringADryRunStopsTheEviction() {
        EngineScenario engineScenario = brokenWorkload(2)
                .duringDryRun(new Event.ObjectChanged(pod("web-2", "web", notReady())))
                .afterSeconds(600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).contains(Reason.WORKLOAD_UNSETTLED);
    }

    @Test
    void anEvictionHoldsTheNextVictimOfTheWorkloadOnlyUntilTheReplacementIsReady() {
        EngineScenario engineScenario =
                brokenWorkload(2).replacingOn("n2", notReady()).afterSeconds(620);
        assertThat(engineScenario.evicted()).containsExactly("web-1");

        engineScenario.happens(pod("web-1-r1", "web", on("n2"))).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
        assertThat(engineScenario.holds()).doesNotContain(Reason.WORKLOAD_UNSETTLED);
    }

    @Test
    void aVictimThatTakesItsTimeAndAReplacementThatWaitsForANodeAreNoUnrestEither() {
        EngineScenario engineScenario =
                brokenWorkload(2).neverAnswering(Effect.Evict.class).afterSeconds(600);
        engineScenario
                .happens(pod("web-1", "web", terminating(engineScenario.now.plusSeconds(30)), resourceVersion(2)))
                .event(new Event.Answered(engineScenario.requests.getFirst().planId(), new EvictionAnswer.Evicted()))
                .answeringAgain()
                .happens(podChanged("web-4", ownedBy("ReplicaSet", "web", "web"), notReady()))
                .afterSeconds(10)
                .happens(pod("web-4", "web", on("n2"), notReady()))
                .afterSeconds(20)
                .happens(podGone("web-1"))
                .happens(pod("web-4", "web", on("n2")))
                .afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void anotherPodThatComesWhileOneIsMovedIsUnrest() {
        EngineScenario engineScenario =
                brokenWorkload(2).replacingOn("n2", notReady()).afterSeconds(610);
        engineScenario
                .happens(pod("web-3", "web", on("n2")))
                .happens(pod("web-1-r1", "web", on("n2")))
                .afterSeconds(299);
        assertThat(engineScenario.evicted()).containsExactly("web-1");

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void aShorterForgivenessIsTheSettleTime() {
        EngineScenario engineScenario = broken().afterSeconds(50)
                .happens(podChanged("web-2", on("n2"), replicaOf("web"), nodeSelector("disk", "ssd")))
                .afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }
}
