package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Changes.deploymentChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.engine.state.PlannerMemory;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.state.WorkloadDisturbances;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.input.Disturbance;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Tenancy;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which changes count as a disturbance of a workload, and for how long. */
class DisturbanceTrackerTest {
    private static final Workload WEB = new Workload("deployment-web", "Deployment", new NamespacedName("shop", "web"));

    private final LiveCluster cluster =
            new LiveCluster(EngineScenario.settings().exemptNamespaces());
    private final PlanSchedule schedule = new PlanSchedule();
    private final ChangeCounter changes = new ChangeCounter();
    private final Readiness readiness = new Readiness(schedule, BreakerSettings.defaults("holdfast"), changes);
    private final PlannerMemory memory = new PlannerMemory(cluster);
    private final WorkloadDisturbances workloadDisturbances = memory.workloadDisturbances();
    private final DisturbanceTracker disturbanceTracker = disturbanceTracker();
    private Instant now = EngineScenario.START;

    private DisturbanceTracker disturbanceTracker() {
        RequestedRules requested = new RequestedRules(cluster, readiness, "");
        Breakers breakers =
                new Breakers(cluster, BreakerSettings.defaults("holdfast"), OperatorLimits.defaults(), changes);
        ViolationBook book = new ViolationBook(requested, readiness, memory, breakers.policyBacklogs(), schedule);
        Decisions decisions = new Decisions(cluster, book, schedule);
        MovesInFlight moves = new MovesInFlight(cluster, decisions, schedule, changes, Tenancy.BY_NAMESPACE);
        return new DisturbanceTracker(cluster, memory, moves, decisions, readiness, new ChangeCounter());
    }

    @BeforeEach
    void theReplicaSetIsKnown() {
        happens(replicaSetChanged("web", "web", 3));
    }

    private void allIsSeen() {
        readiness.complete(now);
    }

    private void happens(ClusterEvent fact) {
        disturbanceTracker.beforeChange(fact, now);
        cluster.apply(fact);
    }

    private void afterSeconds(long seconds) {
        now = now.plusSeconds(seconds);
    }

    private static ClusterEvent web(String name, PodTrait... traits) {
        List<PodTrait> all = new ArrayList<>(List.of(on("n1"), replicaOf("web")));
        all.addAll(List.of(traits));
        return podChanged(name, all.toArray(PodTrait[]::new));
    }

    private Optional<String> last(String exceptPodUid) {
        return workloadDisturbances.last(WEB, exceptPodUid, 0).map(Disturbance::toString);
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                row("it is new", List.of(), web("web-1"), "was created"),
                row("it is new and pending", List.of(), podChanged("web-1", replicaOf("web")), "was created"),
                quiet("it is new and has finished already", List.of(), web("web-1", phase(Phase.FAILED))),
                quiet("its labels change", List.of(web("web-1")), web("web-1", resourceVersion(2))),
                row("it begins to terminate", List.of(web("web-1")), web("web-1", terminating()), "was deleted"),
                row("it is gone", List.of(web("web-1")), podGone("web-1"), "was deleted"),
                quiet("it is gone after it began to terminate", List.of(web("web-1", terminating())), podGone("web-1")),
                quiet(
                        "it is still terminating and loses its readiness",
                        List.of(web("web-1", terminating())),
                        web("web-1", terminating(), notReady())),
                quiet("it failed before and is deleted", List.of(web("web-1", phase(Phase.FAILED))), podGone("web-1")),
                row("it loses its readiness", List.of(web("web-1")), web("web-1", notReady()), "is not Ready any more"),
                row("it fails", List.of(web("web-1")), web("web-1", phase(Phase.FAILED)), "is not Ready any more"),
                quiet("it becomes ready", List.of(web("web-1", notReady())), web("web-1")),
                quiet(
                        "it is still not ready",
                        List.of(web("web-1", notReady())),
                        web("web-1", notReady(), resourceVersion(2))),
                quiet("a pod of another workload is created", List.of(), podChanged("api-1", replicaOf("api"))),
                quiet("a pod without a controller is created", List.of(), podChanged("bare")));
    }

    private static Arguments row(String name, List<ClusterEvent> before, ClusterEvent fact, String words) {
        return argumentSet(name, before, fact, Optional.of("pod shop/web-1 " + words));
    }

    private static Arguments quiet(String name, List<ClusterEvent> before, ClusterEvent fact) {
        return argumentSet(name, before, fact, Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("changes")
    void whatHappensToAPodDisturbsItsWorkload(List<ClusterEvent> before, ClusterEvent fact, Optional<String> expected) {
        before.forEach(this::happens);
        allIsSeen();

        happens(fact);

        assertThat(last("")).isEqualTo(expected);
    }

    @Test
    void whatIsToldBeforeEverythingWasSeenOnceHasNotJustHappened() {
        happens(web("web-1"));
        happens(web("web-1", notReady()));
        happens(podGone("web-1"));

        assertThat(workloadDisturbances.size()).isZero();
    }

    @Test
    void thePodThatIsAskedForIsLeftOut() {
        allIsSeen();
        happens(web("web-1"));
        afterSeconds(10);
        happens(web("web-2"));

        assertThat(last("web-1")).contains("pod shop/web-2 was created");
        assertThat(last("web-2")).contains("pod shop/web-1 was created");
    }

    @Test
    void ofWhatHappensAtOneInstantTheFirstByUidIsToldInWhateverOrderItComes() {
        allIsSeen();
        happens(web("web-2"));
        happens(web("web-1"));
        happens(web("web-3"));

        assertThat(last("")).contains("pod shop/web-1 was created");
        assertThat(last("web-1")).contains("pod shop/web-2 was created");
    }

    @Test
    void ofThreePodsThatChangedTheLastOnesCanBeDisregarded() {
        allIsSeen();
        happens(web("web-1"));
        afterSeconds(10);
        happens(web("web-3"));
        happens(web("web-2"));

        assertThat(workloadDisturbances.last(WEB, "", 1).map(Disturbance::podUid))
                .contains("web-3");
        assertThat(workloadDisturbances.last(WEB, "", 2).map(Disturbance::podUid))
                .contains("web-1");
        assertThat(workloadDisturbances.last(WEB, "web-2", 1).map(Disturbance::podUid))
                .contains("web-1");
        assertThat(workloadDisturbances.last(WEB, "", 3)).isEmpty();
    }

    @Test
    void aPodThatChangesSeveralTimesCountsOnce() {
        allIsSeen();
        happens(web("web-1"));
        afterSeconds(10);
        happens(web("web-1", notReady()));

        assertThat(workloadDisturbances.last(WEB, "", 1)).isEmpty();
    }

    @Test
    void podsOfANewReplicaSetCountForItsDeploymentAlsoIfTheyAreReportedBeforeIt() {
        allIsSeen();
        happens(web("web-1"));
        afterSeconds(10);
        happens(podChanged("web-2", ownedBy("ReplicaSet", "web", "web-new")));
        assertThat(last("")).contains("pod shop/web-1 was created");

        happens(replicaSetChanged("web", "web-new", 3));

        assertThat(last("")).contains("pod shop/web-2 was created");
        assertThat(last("web-2")).contains("pod shop/web-1 was created");
    }

    @Test
    void aReplicaSetReportedAfterItsPodsAndBeforeOthersOfTheDeploymentIsInOrder() {
        allIsSeen();
        happens(podChanged("web-2", ownedBy("ReplicaSet", "web", "web-new")));
        afterSeconds(10);
        happens(web("web-1"));

        happens(replicaSetChanged("web", "web-new", 3));

        assertThat(last("")).contains("pod shop/web-1 was created");
        assertThat(last("web-1")).contains("pod shop/web-2 was created");
    }

    @Test
    void podsOfAnotherNamespaceThatNameTheSameControllerDisturbNothing() {
        allIsSeen();
        happens(podChanged("forged-1", in("bank"), replicaOf("web")));
        happens(podChanged("forged-2", in("bank"), ownedBy("Deployment", "web", "deployment-web")));
        happens(podChanged("forged-3", in("bank"), ownedBy("ReplicaSet", "forged", "forged")));
        happens(new ClusterEvent.OwnerChanged(new Owner(
                "forged",
                "ReplicaSet",
                new NamespacedName("bank", "forged"),
                Optional.of(new Controller("Deployment", "web", "deployment-web")),
                OptionalInt.of(1))));

        assertThat(last("")).isEmpty();
    }

    @Test
    void whatIsTakenBackLeavesWhatWasBefore() {
        allIsSeen();
        happens(web("web-1"));
        afterSeconds(10);
        happens(web("web-2"));

        workloadDisturbances.takeBack(WEB.id(), "web-2");
        assertThat(last("")).contains("pod shop/web-1 was created");
        workloadDisturbances.takeBack(WEB.id(), "web-1");

        assertThat(last("")).isEmpty();
        assertThat(workloadDisturbances.size()).isZero();
    }

    @Test
    void aWorkloadThatHasBeenQuietForFiveMinutesIsForgottenWithTheNextFact() {
        allIsSeen();
        happens(web("web-1"));
        afterSeconds(Duration.ofMinutes(5).toSeconds() - 1);
        happens(podChanged("bare"));
        assertThat(workloadDisturbances.size()).isOne();

        afterSeconds(1);
        happens(podChanged("bare"));

        assertThat(workloadDisturbances.size()).isZero();
    }

    @Test
    void changesOfScaleAreForgottenAfterFiveMinutesAndAtMostAHundredAreStored() {
        happens(deploymentChanged("web", 3));
        allIsSeen();
        for (int i = 0; i < 200; i++) {
            happens(deploymentChanged("web", 4 + i % 2));
        }
        happens(web("web-1"));
        assertThat(workloadDisturbances.size()).isEqualTo(100 + 1);

        assertThat(workloadDisturbances.areOfScale(WEB, "", 0, now)).isTrue();
        afterSeconds(Duration.ofMinutes(5).toSeconds());
        happens(web("web-2"));

        assertThat(workloadDisturbances.areOfScale(WEB, "", 0, now)).isFalse();
        assertThat(workloadDisturbances.size()).isOne();
    }

    @Test
    void aScaleThatChangedByMoreThanAThousandPodsExplainsNoChange() {
        happens(deploymentChanged("web", 3));
        allIsSeen();
        happens(deploymentChanged("web", 1003));
        happens(web("web-1"));
        assertThat(workloadDisturbances.areOfScale(WEB, "", 0, now)).isTrue();

        happens(deploymentChanged("web", 1004));

        assertThat(workloadDisturbances.areOfScale(WEB, "", 0, now)).isFalse();
    }

    @Test
    void ofAScaledWorkloadTheUnreadinessOfThePodItselfAndOfDisregardedPodsDoesNotCount() {
        happens(deploymentChanged("web", 3));
        happens(web("web-1"));
        happens(web("web-2"));
        allIsSeen();
        happens(web("web-1", notReady()));
        assertThat(workloadDisturbances.areOfScale(WEB, "web-1", 0, now)).isTrue();

        happens(web("web-2", notReady()));

        assertThat(workloadDisturbances.areOfScale(WEB, "web-1", 0, now)).isFalse();
        assertThat(workloadDisturbances.areOfScale(WEB, "web-1", 1, now)).isTrue();
    }

    @Test
    void ofAWorkloadThatIsNeverQuietOnlyWhatHappenedWithinFiveMinutesIsKept() {
        allIsSeen();
        for (int i = 0; i < 1000; i++) {
            happens(web("web-" + i));
            happens(podGone("web-" + i));
            afterSeconds(10);
        }

        assertThat(workloadDisturbances.size()).isEqualTo(30);
    }

    @Test
    void earlierDisturbancesStandInTheOrderOfTimeAndDoNotReplaceSeenOnes() {
        allIsSeen();
        happens(web("web-1"));
        Disturbance late = new Disturbance(
                "late", new NamespacedName("shop", "late"), Disturbance.What.CREATED, now.minusSeconds(20));
        Disturbance early = new Disturbance(
                "early", new NamespacedName("shop", "early"), Disturbance.What.CREATED, now.minusSeconds(90));
        Disturbance known = new Disturbance(
                workloadDisturbances.last(WEB, "", 0).orElseThrow().podUid(),
                new NamespacedName("shop", "web-1"),
                Disturbance.What.UNREADY,
                now.plusSeconds(5));

        workloadDisturbances.noteEarlier(Map.of(WEB.id(), List.of(known, early, late)));

        assertThat(IntStream.range(0, 4)
                        .mapToObj(i -> workloadDisturbances.last(WEB, "", i).map(Disturbance::toString)))
                .containsExactly(
                        Optional.of("pod shop/web-1 was created"),
                        Optional.of("pod shop/late was created"),
                        Optional.of("pod shop/early was created"),
                        Optional.empty());
        workloadDisturbances.forget(now.plusSeconds(299));
        assertThat(workloadDisturbances.size()).isEqualTo(3);
        workloadDisturbances.forget(now.plusSeconds(300));
        assertThat(workloadDisturbances.size()).isZero();
    }
}
