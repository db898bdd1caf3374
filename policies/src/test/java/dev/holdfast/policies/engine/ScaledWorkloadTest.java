package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.deploymentChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that changes of a workload's scale alone do not keep its pods on wrong nodes. */
class ScaledWorkloadTest {
    private static final Policy POLICY = enforcing("web", Duration.ofMinutes(5));
    private static final StatefulSetRevisions SETTLED = new StatefulSetRevisions(true, false, 0, 0, "r1", "r1");

    /**
     * {@return a Deployment of 5 pods; web-1 to web-3 are on a node that lost the label that they need, and n2 would
     * take them}
     */
    private static EngineScenario brokenDeployment() {
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .with(deploymentChanged("web", 5))
                .replicaSet("web", 5);
        for (int i = 1; i <= 5; i++) {
            facts.with(web("web-" + i, i <= 3 ? "n1" : "n2"));
        }
        return EngineScenario.begin(facts, POLICY);
    }

    private static ClusterEvent web(String name, String node, PodTrait... traits) {
        return of("web", name, node, traits);
    }

    private static ClusterEvent of(String replicaSet, String name, String node, PodTrait... traits) {
        List<PodTrait> all = new ArrayList<>(
                List.of(on(node), ownedBy("ReplicaSet", replicaSet, replicaSet), nodeSelector("disk", "ssd")));
        all.addAll(List.of(traits));
        return podChanged(name, all.toArray(PodTrait[]::new));
    }

    /** Scales the Deployment from 5 to 6 pods; the order of the watches is not fixed. */
    private static List<ClusterEvent> up(String pod) {
        return List.of(deploymentChanged("web", 6), replicaSetChanged("web", "web", 6), web(pod, "n2"));
    }

    private static List<ClusterEvent> down(String pod) {
        return List.of(deploymentChanged("web", 5), replicaSetChanged("web", "web", 5), podGone(pod));
    }

    private static EngineScenario happen(EngineScenario engineScenario, List<ClusterEvent> events) {
        events.forEach(engineScenario::happens);
        return engineScenario;
    }

    static Stream<Arguments> orders() {
        return Stream.of(
                argumentSet("the Deployment first", false), argumentSet("its pods before the Deployment", true));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void aDeploymentThatAnAutoscalerChangesEveryFourMinutesIsMoved(boolean reversed) {
        EngineScenario engineScenario = brokenDeployment().replacingOn("n2");

        for (int i = 0; i < 8; i++) {
            List<ClusterEvent> up = up("more-" + i);
            List<ClusterEvent> down = down("more-" + i);
            happen(engineScenario, reversed ? up.reversed() : up).afterSeconds(240);
            happen(engineScenario, reversed ? down.reversed() : down).afterSeconds(240);
        }

        assertThat(engineScenario.evicted()).containsExactlyInAnyOrder("web-1", "web-2", "web-3");
    }

    @Test
    void aDeploymentThatIsScaledStepByStepIsMoved() {
        EngineScenario engineScenario = brokenDeployment().replacingOn("n2").afterSeconds(200);
        for (int replicas = 6; replicas <= 8; replicas++) {
            happen(
                            engineScenario,
                            List.of(
                                    deploymentChanged("web", replicas),
                                    replicaSetChanged("web", "web", replicas),
                                    web("more-" + replicas, "n2")))
                    .afterSeconds(60);
        }

        assertThat(engineScenario.evicted()).containsExactlyInAnyOrder("web-1", "web-2", "web-3");
    }

    @Test
    void aPodThatIsAddedAndNotReadyYetHolds() {
        EngineScenario engineScenario = brokenDeployment().afterSeconds(290);
        happen(
                        engineScenario,
                        List.of(
                                deploymentChanged("web", 6),
                                replicaSetChanged("web", "web", 6),
                                web("more", "n2", notReady())))
                .afterSeconds(60);
        assertThat(engineScenario.holds()).containsOnly(Reason.WORKLOAD_UNSETTLED);

        engineScenario.happens(web("more", "n2")).afterSeconds(1);

        assertThat(engineScenario.evicted()).isNotEmpty();
    }

    @Test
    void aPodThatIsStillMissingHolds() {
        EngineScenario engineScenario = brokenDeployment().afterSeconds(290);
        happen(engineScenario, up("more"));
        happen(engineScenario, List.of(deploymentChanged("web", 7), replicaSetChanged("web", "web", 7)))
                .afterSeconds(60);
        assertThat(engineScenario.holds()).containsOnly(Reason.WORKLOAD_UNSETTLED);

        engineScenario.happens(web("more-2", "n2")).afterSeconds(1);

        assertThat(engineScenario.evicted()).isNotEmpty();
    }

    @Test
    void aPodThatIsStillToBeRemovedHolds() {
        EngineScenario engineScenario = brokenDeployment().afterSeconds(290);
        happen(engineScenario, up("more"));
        happen(engineScenario, List.of(deploymentChanged("web", 5), replicaSetChanged("web", "web", 5)))
                .afterSeconds(60);
        assertThat(engineScenario.holds()).containsOnly(Reason.WORKLOAD_UNSETTLED);

        engineScenario.happens(podGone("more")).afterSeconds(1);

        assertThat(engineScenario.evicted()).isNotEmpty();
    }

    static Stream<Arguments> otherChanges() {
        return Stream.of(
                argumentSet(
                        "a pod is created, and no scale changes",
                        List.of(web("web-6", "n2"), podGone("web-6"), web("web-7", "n2"), podGone("web-5"))),
                argumentSet(
                        "a drain replaces a pod while the scale rises and falls",
                        Stream.of(up("more"), down("more"), List.of(podGone("web-5"), web("web-6", "n2")))
                                .flatMap(List::stream)
                                .toList()),
                argumentSet(
                        "a drain replaces a pod that was added just now",
                        Stream.of(up("more"), List.of(podGone("more"), web("web-6", "n2")))
                                .flatMap(List::stream)
                                .toList()),
                argumentSet(
                        "a pod turns unready and Ready again while the scale rises",
                        Stream.of(up("more"), List.of(web("web-5", "n2", notReady()), web("web-5", "n2")))
                                .flatMap(List::stream)
                                .toList()),
                argumentSet(
                        "a roll-out with a surge of 1 replaces the first pod",
                        List.of(
                                replicaSetChanged("web", "new", 1),
                                of("new", "new-1", "n2"),
                                replicaSetChanged("web", "web", 4),
                                podGone("web-5"))),
                argumentSet(
                        "a roll-out without a surge removes the first pod",
                        List.of(
                                replicaSetChanged("web", "new", 0),
                                replicaSetChanged("web", "web", 4),
                                podGone("web-5"))),
                argumentSet(
                        "a roll-out is complete",
                        List.of(
                                replicaSetChanged("web", "new", 1),
                                of("new", "new-1", "n2"),
                                replicaSetChanged("web", "web", 3),
                                podGone("web-4"),
                                podGone("web-5"),
                                replicaSetChanged("web", "new", 5),
                                of("new", "new-2", "n1"),
                                of("new", "new-3", "n1"),
                                of("new", "new-4", "n1"),
                                of("new", "new-5", "n1"),
                                replicaSetChanged("web", "web", 0),
                                podGone("web-1"),
                                podGone("web-2"),
                                podGone("web-3"))),
                argumentSet(
                        "the scale rises during a roll-out that has one pod of the new revision",
                        List.of(
                                deploymentChanged("web", 6),
                                replicaSetChanged("web", "new", 1),
                                of("new", "new-1", "n2"))));
    }

    @ParameterizedTest
    @MethodSource("otherChanges")
    void anyOtherChangeHoldsFor300S(List<ClusterEvent> changes) {
        EngineScenario engineScenario = brokenDeployment().afterSeconds(290);

        happen(engineScenario, changes).afterSeconds(299);

        assertThat(engineScenario.evicted()).isEmpty();
    }

    @Test
    void aStatefulSetThatIsScaledIsMovedAndOneThatIsRolledOutIsHeld() {
        PodTrait owned = ownedBy("StatefulSet", "db", "db");
        PodTrait needs = nodeSelector("disk", "ssd");
        PodTrait revision = labels(StatefulSetRevisions.LABEL, "r1");
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .with(statefulSetChanged("db", 2, SETTLED))
                .pod("db-0", on("n1"), owned, needs, revision)
                .pod("db-1", on("n2"), owned, needs, revision);
        EngineScenario scaled = EngineScenario.begin(facts, POLICY).afterSeconds(290);
        EngineScenario rolledOut = EngineScenario.begin(facts, POLICY).afterSeconds(290);

        happen(
                        scaled,
                        List.of(
                                statefulSetChanged("db", 3, SETTLED),
                                podChanged("db-2", on("n2"), owned, needs, revision)))
                .afterSeconds(60);
        happen(rolledOut, List.of(podGone("db-1"), podChanged("db-1", on("n2"), owned, needs, revision)))
                .afterSeconds(60);

        assertThat(scaled.evicted()).containsExactly("db-0");
        assertThat(rolledOut.evicted()).isEmpty();
    }

    @Test
    void aControllerWhoseScaleIsUnknownIsHeldFor300S() {
        PodTrait owned = ownedBy("GameServerSet", "games", "games");
        PodTrait needs = nodeSelector("disk", "ssd");
        EngineScenario engineScenario = EngineScenario.begin(cluster()
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .pod("games-0", on("n1"), owned, needs)
                        .pod("games-1", on("n2"), owned, needs))
                .event(new Event.PolicyChanged(POLICY, TestPolicies.ofUnknownControllers()))
                .afterSeconds(290);

        engineScenario.happens(podChanged("games-2", on("n2"), owned, needs)).afterSeconds(299);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("games-0");
    }

    @Test
    void anAutoscalerHoldsNoPodForEverAcrossARestart() {
        EngineScenario engineScenario = brokenDeployment().afterSeconds(200);
        happen(engineScenario, up("more-1")).afterSeconds(5);

        EngineScenario next =
                engineScenario.restarted(EngineScenario.settings()).replacingOn("n2");
        for (int i = 2; i < 8; i++) {
            next.afterSeconds(120);
            happen(next, down("more-" + (i - 1))).afterSeconds(120);
            happen(next, up("more-" + i));
        }

        assertThat(next.evicted()).containsExactlyInAnyOrder("web-1", "web-2", "web-3");
    }
}
