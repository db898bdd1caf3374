package dev.holdfast.policies.plan.capacity;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.moving;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Changes.defaultCpuChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static dev.holdfast.policies.testing.Templates.replicaSetFrom;
import static dev.holdfast.policies.testing.Templates.resizedTo;
import static dev.holdfast.policies.testing.Templates.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.Changes;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.Templates;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that moves in flight, and moves chosen earlier in a plan, count in the feasibility checks of other candidates.
 */
class PendingMovesTest {
    private static final NodeTrait SSD = labels("disk", "ssd");
    private static final NodeTrait ONE_SEAT = allocatable(new Resources(4_000, 0, 0, 1, Map.of()));
    private static final NodeTrait TWO_SEATS = allocatable(new Resources(4_000, 0, 0, 2, Map.of()));
    private static final Resources TWO_AND_A_HALF_CORES = new Resources(2_500, 0, 0, 0, Map.of());
    private static final PodTrait BUSY =
            needing(new PodRequirements(TWO_AND_A_HALF_CORES, TWO_AND_A_HALF_CORES, List.of(), List.of()));
    private static final PodTrait LISTENING = needing(new PodRequirements(
            Resources.none(), Resources.none(), List.of(new HostPort("0.0.0.0", 80, "TCP")), List.of()));
    private static final PodTrait UNNAMED =
            needing(PodRequirements.none().with(List.of(new Container("app", Role.APP, Map.of(), Map.of()))));
    private static final PodTrait NOTHING = _ -> {};

    /**
     * {@return a cluster with two pods of two workloads whose nodes lost their label, and a node that would take either
     * pod} Pod api comes first in victim order.
     */
    private static ClusterBuilder both(NodeTrait room, PodTrait api, PodTrait web) {
        return cluster()
                .node("n0", hostname("n0"))
                .node("n1", hostname("n1"))
                .node("n2", hostname("n2"), SSD, room)
                .pod(
                        "api",
                        on("n0"),
                        labels("app", "api"),
                        nodeSelector("disk", "ssd"),
                        ownedBy("ReplicaSet", "api", "rs-1"),
                        api)
                .pod(
                        "web",
                        on("n1"),
                        labels("app", "web"),
                        nodeSelector("disk", "ssd"),
                        ownedBy("ReplicaSet", "web", "rs-2"),
                        web);
    }

    static Stream<Arguments> together() {
        return Stream.of(
                argumentSet("two pods, and room for two", both(TWO_SEATS, NOTHING, NOTHING), ""),
                argumentSet(
                        "two pods, and room for one",
                        both(ONE_SEAT, NOTHING, NOTHING),
                        "1 against its rules, 1 short of pods"),
                argumentSet(
                        "5 of 4 cores requested", both(TWO_SEATS, BUSY, BUSY), "1 against its rules, 1 short of cpu"),
                argumentSet(
                        "the first was resized from 3 cores to 100m: 4.5 of 4 cores requested",
                        both(TWO_SEATS, resizedTo(100), resizedTo(1_500))
                                .with(replicaSetFrom("rs-1", template(Templates.app(3_000))))
                                .with(replicaSetFrom("rs-2", template(Templates.app(1_500)))),
                        "1 against its rules, 1 short of cpu"),
                argumentSet(
                        "both get the default of now from a LimitRange: 5 of 4 cores requested",
                        both(TWO_SEATS, UNNAMED, UNNAMED).with(defaultCpuChanged(2_500, 2_500)),
                        "1 against its rules, 1 short of cpu"),
                argumentSet(
                        "one host port for two",
                        both(TWO_SEATS, LISTENING, LISTENING),
                        "1 against its rules, 1 with a host port of the pod in use"),
                argumentSet(
                        "the second must be apart from the first",
                        both(TWO_SEATS, NOTHING, apartFrom(term(app("api"), HOSTNAME))),
                        "2 against its rules"),
                argumentSet(
                        "the first must be apart from the second",
                        both(TWO_SEATS, apartFrom(term(app("web"), HOSTNAME)), NOTHING),
                        "1 against its rules, 1 excluded by other pods' anti-affinity"));
    }

    @ParameterizedTest
    @MethodSource("together")
    void ofTwoPodsTheSecondIsAskedForWithTheFirstWhereItWillBe(ClusterBuilder facts, String objection) {
        ReferenceCluster referenceCluster = facts.build();

        Plan plan = new ShuffledPlanner(2, 9_000)
                .plan(
                        List.of(ssd(referenceCluster, "web"), ssd(referenceCluster, "api")),
                        situation(referenceCluster, new Moves()));

        assertThat(plan.chosen())
                .extracting(it -> it.candidate().pod().uid())
                .containsExactlyElementsOf(objection.isEmpty() ? List.of("api", "web") : List.of("api"));
        assertThat(plan.held())
                .extracting(it -> it.hold().message())
                .containsExactlyElementsOf(
                        objection.isEmpty()
                                ? List.of()
                                : List.of("no other node would take the pod now: of 2 other nodes: " + objection));
    }

    /** {@return the candidate for the violated node selector} */
    private static Candidate ssd(ReferenceCluster referenceCluster, String pod) {
        return candidate(
                referenceCluster,
                referenceCluster.pod(pod).orElseThrow(),
                nodeSelectorRule("disk", "ssd"),
                Mode.ENFORCE,
                WhenInfeasible.WAIT);
    }

    static Stream<Arguments> stages() {
        Set<String> siblings = Set.of("api");
        return Stream.of(
                argumentSet("its pod is being read", new Move.Stage.Confirming(NOW), 0),
                argumentSet("its dry run is sent", new Move.Stage.DryRunning(NOW, 1), 0),
                argumentSet("its real request is sent", new Move.Stage.Requested(NOW, siblings), 0),
                argumentSet("its outcome is unknown", new Move.Stage.Unknown(NOW, siblings), 0),
                argumentSet("its replacement is awaited", new Move.Stage.Evicted(NOW, siblings), 0),
                argumentSet(
                        "its replacement has landed elsewhere", new Move.Stage.Landed(NOW, siblings, "new", "n9"), 1));
    }

    @ParameterizedTest
    @MethodSource("stages")
    void aMoveInFlightKeepsItsSeatUntilItsReplacementIsBound(Move.Stage stage, int chosen) {
        ClusterBuilder facts = both(ONE_SEAT, NOTHING, NOTHING);
        Moves moves = new Moves();
        moves.put(moving(ssd(facts.build(), "api"), "p", stage).toward(Optional.of("n2")));
        ReferenceCluster referenceCluster = facts.with(Changes.podGone("api")).build();

        Plan plan = new ShuffledPlanner(1, 9_000)
                .plan(List.of(ssd(referenceCluster, "web")), situation(referenceCluster, moves));

        assertThat(plan.chosen()).hasSize(chosen);
    }

    static Stream<Arguments> keepers() {
        return Stream.of(
                argumentSet("its replacement uses the last free capacity", ONE_SEAT, NOTHING, 0),
                argumentSet(
                        "its anti-affinity excludes the other", TWO_SEATS, apartFrom(term(app("web"), HOSTNAME)), 0),
                argumentSet("there is room for both", TWO_SEATS, NOTHING, 1));
    }

    @ParameterizedTest
    @MethodSource("keepers")
    void aVictimKeepsItsPlaceAsLongAsItIsThere(NodeTrait room, PodTrait leaving, int chosen) {
        ReferenceCluster referenceCluster = both(room, NOTHING, NOTHING)
                .pod("leaving", on("n2"), nodeSelector("disk", "none"), ownedBy("ReplicaSet", "x", "rs-3"), leaving)
                .build();
        Candidate move = candidate(referenceCluster, "leaving");
        Moves moves = new Moves();
        moves.put(moving(move, "p", new Move.Stage.Requested(NOW, Set.of("leaving")))
                .toward(Optional.of("n1")));

        Plan plan = new ShuffledPlanner(1, 9_000)
                .plan(List.of(ssd(referenceCluster, "web")), situation(referenceCluster, moves));

        assertThat(plan.chosen()).hasSize(chosen);
    }

    @Test
    void aRememberedPlaceThatIsPromisedToAnotherIsLookedForAgain() {
        ReferenceCluster referenceCluster = both(ONE_SEAT, NOTHING, NOTHING).build();
        ShuffledPlanner planner = new ShuffledPlanner(2, 9_000);
        Candidate web = ssd(referenceCluster, "web");
        assertThat(planner.plan(List.of(web), situation(referenceCluster, new Moves()))
                        .chosen())
                .hasSize(1);

        Plan plan = planner.plan(List.of(ssd(referenceCluster, "api"), web), situation(referenceCluster, new Moves()));

        assertThat(plan.chosen()).extracting(it -> it.candidate().pod().uid()).containsExactly("api");
        assertThat(plan.later()).containsExactly(web);
        assertThat(planner.plan(List.of(web), situation(referenceCluster, new Moves()))
                        .chosen())
                .as("when the other is not moved after all")
                .hasSize(1);
    }

    static Stream<Arguments> places() {
        NodeTrait none = allocatable(Resources.none());
        return Stream.of(
                argumentSet("the target is still feasible and is kept", ONE_SEAT, ONE_SEAT, Optional.of("n3")),
                argumentSet(
                        "the target is not feasible any more, and another node is", ONE_SEAT, none, Optional.of("n2")),
                argumentSet("no node is feasible any more", none, none, Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("places")
    void whoeverWasToMoveIsAskedForAgain(NodeTrait n2, NodeTrait n3, Optional<String> expected) {
        ReferenceCluster referenceCluster =
                both(n2, NOTHING, NOTHING).node("n3", SSD, n3).build();

        Plan.Decision decision = new ShuffledPlanner(1, 1)
                .revalidate(ssd(referenceCluster, "web"), Optional.of("n3"), situation(referenceCluster, new Moves()));

        assertThat(decision instanceof Plan.Chosen chosen ? chosen.target() : Optional.empty())
                .isEqualTo(expected);
    }
}
