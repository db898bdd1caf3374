package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.policy;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.Facts.uid;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a change between the decision to move a pod and the eviction request prevents the request. */
class RevalidationTest {
    private static final Pod WEB = pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"));
    private static final Pod NOISY = pod("noisy-1", on("a1"), replicaOf("noisy"));
    private static final ClusterEvent CORDONED = nodeChanged("n2", labels("disk", "ssd"), cordoned());

    /**
     * {@return a scenario with a pod that must be apart from another one in the same zone; another zone would take it}
     */
    private static EngineScenario conflict() {
        return EngineScenario.begin(
                cluster()
                        .node("a1", zone("a"))
                        .node("b1", zone("b"))
                        .replicaSet("web", 1)
                        .pod("web-1", on("a1"), replicaOf("web"), apartFrom(term(app("noisy"), ZONE)))
                        .with(new ClusterEvent.PodChanged(NOISY)),
                enforcing());
    }

    /** {@return a scenario with a pod whose node lost the label that the pod needs; one other node would take it} */
    private static EngineScenario broken() {
        return EngineScenario.begin(
                cluster()
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .replicaSet("web", 1)
                        .with(new ClusterEvent.PodChanged(WEB)),
                enforcing());
    }

    private static Event.ObjectChanged fact(ClusterEvent fact) {
        return new Event.ObjectChanged(fact);
    }

    private static Event.PolicyChanged edit(Mode mode, int forgivenessSeconds) {
        Duration forgiveness = Duration.ofSeconds(forgivenessSeconds);
        return new Event.PolicyChanged(policy("web", mode, forgiveness, WhenInfeasible.WAIT));
    }

    static Stream<Arguments> whatMayComeBetween() {
        return Stream.of(
                row(
                        "a view is lost",
                        broken(),
                        new Event.ViewLost(View.BUDGETS, "cut", EngineScenario.START),
                        Reason.VIEW_NOT_SYNCED),
                row(
                        "the lease is lost",
                        broken(),
                        new Event.LeadershipLost("holdfast-2 has it", EngineScenario.START),
                        Reason.NOT_LEADER),
                row("the target is cordoned", broken(), fact(CORDONED), Reason.INFEASIBLE),
                row(
                        "the only partner is terminating",
                        conflict(),
                        fact(podChanged("noisy-1", like(NOISY), terminating(EngineScenario.START), resourceVersion(2))),
                        Reason.PARTNERS_LEAVING),
                row("the mode ceiling is lowered to Audit", broken(), new Event.ModeCapped(Mode.AUDIT, "no right")),
                row("the policy is set to Audit", broken(), edit(Mode.AUDIT, 60)),
                row("the policy is set to Disabled", broken(), edit(Mode.DISABLED, 60)),
                row(
                        "the policy is gone",
                        broken(),
                        new Event.PolicyRemoved(enforcing().id())),
                row("the forgiveness is lengthened", broken(), edit(Mode.ENFORCE, 61)),
                row(
                        "the policy is edited as it was, after generations that the engine did not get",
                        broken(),
                        new Event.PolicyChanged(enforcing()).skipping()),
                row("the node has the label again", broken(), fact(nodeChanged("n1", labels("disk", "ssd")))),
                row("the node is gone", broken(), fact(nodeGone("n1"))),
                row(
                        "the pod is terminating",
                        broken(),
                        fact(podChanged("web-1", like(WEB), terminating(EngineScenario.START)))),
                row("the pod is gone", broken(), fact(podGone("web-1"))),
                row("the partner is gone", conflict(), fact(podGone("noisy-1"))));
    }

    private static Arguments row(String name, EngineScenario engineScenario, Event event, Reason... held) {
        return argumentSet(name, engineScenario, event, List.of(held));
    }

    @ParameterizedTest
    @MethodSource("whatMayComeBetween")
    void whatHappensWhileThePodIsReadKeepsEvenTheDryRunFromBeingSent(
            EngineScenario engineScenario, Event event, List<Reason> held) {
        engineScenario.duringReads(event).afterSeconds(60);

        assertThat(engineScenario.reads).hasSize(1);
        assertThat(engineScenario.dryRuns).isEmpty();
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.holds()).isEqualTo(held);
    }

    @Test
    void whereTheNamedTargetIsNoneAnyMoreAnotherIsNamed() {
        EngineScenario engineScenario = broken().happens(nodeChanged("n3", labels("disk", "ssd")));

        engineScenario.duringReads(fact(CORDONED)).afterSeconds(60);

        assertThat(engineScenario.told)
                .filteredOn(Notification.Evicting.class::isInstance)
                .extracting(it -> ((Notification.Evicting) it).target())
                .containsExactly(Optional.of("n3"));
    }

    @ParameterizedTest
    @MethodSource("whatMayComeBetween")
    void whatHappensDuringTheDryRunKeepsTheRealRequestFromBeingSent(
            EngineScenario engineScenario, Event event, List<Reason> held) {
        engineScenario.duringDryRun(event).afterSeconds(60);

        assertThat(engineScenario.dryRuns).hasSize(1);
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.holds()).isEqualTo(held);
    }

    @Test
    void twoWorkloadsThatTurnOutToBeOneMoveOnePodAfterTheOther() {
        EngineScenario engineScenario = EngineScenario.begin(
                cluster()
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .replicaSet("api", 1)
                        .replicaSet("web", 1)
                        .pod("api-1", on("n1"), replicaOf("api"), nodeSelector("disk", "ssd"))
                        .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                enforcing());
        ClusterEvent adopted = new ClusterEvent.OwnerChanged(new Owner(
                "web",
                "ReplicaSet",
                new NamespacedName("shop", "web"),
                Optional.of(new Controller("Deployment", "api", "deployment-api")),
                OptionalInt.of(1)));

        engineScenario.duringReads(fact(adopted)).afterSeconds(120);

        assertThat(engineScenario.evicted()).hasSize(1);
        assertThat(engineScenario.holds()).contains(Reason.WORKLOAD_LIMIT);
    }

    @Test
    void aPodThatChangesAfterItWasReadIsReadAndDryRunAgainBeforeItIsRequested() {
        ClusterEvent restarted = podChanged("web-1", like(WEB), notReady(), resourceVersion(2));

        EngineScenario engineScenario = broken().duringDryRun(fact(restarted)).afterSeconds(60);

        assertThat(engineScenario.reads).hasSize(2);
        assertThat(versions(engineScenario.dryRuns)).containsExactly(1L, 2L);
        assertThat(versions(engineScenario.requests)).containsExactly(2L);
    }

    @Test
    void noEvictionIsReportedBeforeItsDryRunHasPassed() {
        EngineScenario engineScenario =
                broken().answeringDryRuns(_ -> new EvictionAnswer.RefusedByAdmission("not today"));

        engineScenario.afterSeconds(60);

        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.events())
                .containsExactly("Started web-1", "Answered web-1", "Held web-1 RefusedByAdmission");
    }

    private static List<Long> versions(List<EvictionRequest> requests) {
        return requests.stream()
                .map(request -> request.resourceVersion().orElseThrow())
                .toList();
    }

    static Stream<Arguments> partnersTheFeedDoesNotReportYet() {
        return Stream.of(
                argumentSet(
                        "the partner is gone",
                        List.of(podGone("noisy-1")),
                        "pod shop/noisy-1 did not exist when it was read"),
                argumentSet(
                        "the partner has another label",
                        List.of(podChanged("noisy-1", on("a1"), replicaOf("calm"), resourceVersion(2))),
                        "pod shop/noisy-1 has changed, but the watch has not delivered the change yet"),
                argumentSet(
                        "another pod has the partner's name",
                        List.of(
                                podGone("noisy-1"),
                                podChanged(
                                        "noisy-1", uid("another"), on("b1"), replicaOf("noisy"), resourceVersion(2))),
                        "pod shop/noisy-1 did not exist when it was read"));
    }

    @ParameterizedTest
    @MethodSource("partnersTheFeedDoesNotReportYet")
    void aConflictThatHealedBeforeTheFeedReportsItEvictsNoPod(List<ClusterEvent> unseen, String why) {
        EngineScenario engineScenario = conflict();
        unseen.forEach(engineScenario::happensUnseen);

        engineScenario.afterSeconds(600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.events()).containsExactly("Started web-1", "Held web-1 ViewBehind");
        assertThat(engineScenario.heldBecause()).isEqualTo(why);
    }

    static Stream<Arguments> readAsOfAnOlderPast() {
        return Stream.of(
                argumentSet(
                        "the pod",
                        broken(),
                        podChanged("web-1", like(WEB), resourceVersion(2)),
                        "the pod was read in an older version than the cached one"),
                argumentSet(
                        "its node",
                        broken(),
                        nodeChanged("n1", labels("disk", "hdd"), resourceVersion(2)),
                        "its node was read in an older version than the cached one"),
                argumentSet(
                        "a partner",
                        conflict(),
                        podChanged("noisy-1", like(NOISY), resourceVersion(2)),
                        "pod shop/noisy-1 was read in an older version than the cached one"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("readAsOfAnOlderPast")
    void whatIsReadAsItWasBeforeABackupWasRestoredEvictsNoPod(
            EngineScenario engineScenario, ClusterEvent lost, String why) {
        engineScenario.event(fact(lost));

        engineScenario.afterSeconds(600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.heldBecause()).isEqualTo(why);
    }

    @Test
    void aConflictWhosePartnerWasReadAsTheFeedToldIsMoved() {
        EngineScenario engineScenario = conflict().afterSeconds(60);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }
}
