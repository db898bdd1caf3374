package dev.holdfast.policies.plan;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.afterSuccesses;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.limited;
import static dev.holdfast.policies.plan.Due.moving;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.leavingSince;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.beingDisrupted;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.evictionResponder;
import static dev.holdfast.policies.testing.PodTraits.gangMember;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.mirror;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.resourceClaims;
import static dev.holdfast.policies.testing.PodTraits.scheduledBy;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests each check of the planner alone, the order of the checks, and plans with several candidates. */
class PlannerTest {
    private static final int MANY_NODES = 100_000;
    private static final PodTrait[] WEB = {on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "web", "rs")};

    /** {@return a cluster with a pod whose node lost the label disk=ssd, and a node that would take the pod} */
    private static ClusterBuilder broken(PodTrait... traits) {
        List<PodTrait> all = new ArrayList<>(List.of(WEB));
        all.addAll(List.of(traits));
        return cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .pod("web", all.toArray(PodTrait[]::new));
    }

    private static ClusterBuilder apart(PodAffinityTerm term, PodTrait... partner) {
        return cluster()
                .node("n1", zone("a"))
                .node("n2", zone("b"))
                .namespace("shop", labels("team", "blue"))
                .namespace("data", labels("team", "red"))
                .pod("web", on("n1"), apartFrom(term), ownedBy("ReplicaSet", "web", "rs"))
                .pod("batch", partner);
    }

    /** {@return the traits of a pod of a workload whose pods must be in different zones, but are all on node n1} */
    private static PodTrait[] alike(PodTrait... traits) {
        List<PodTrait> all = new ArrayList<>(List.of(
                on("n1"), labels("app", "web"), apartFrom(term(app("web"), ZONE)), ownedBy("ReplicaSet", "web", "rs")));
        all.addAll(List.of(traits));
        return all.toArray(PodTrait[]::new);
    }

    static Stream<Arguments> holds() {
        return Stream.of(
                argumentSet("no check objects", broken(), Optional.empty()),
                argumentSet("the mirror pod of a static pod", broken(mirror()), Optional.of(Reason.MIRROR_POD)),
                argumentSet(
                        "a DaemonSet's pod",
                        broken(ownedBy("DaemonSet", "agent", "ds")),
                        Optional.of(Reason.DAEMON_SET_POD)),
                argumentSet(
                        "a pod of a protected namespace",
                        broken(in("kube-system")),
                        Optional.of(Reason.PROTECTED_NAMESPACE)),
                argumentSet(
                        "a priority of 2,000,000,000",
                        broken(priority(2_000_000_000)),
                        Optional.of(Reason.SYSTEM_CRITICAL)),
                argumentSet("a priority of 1,999,999,999", broken(priority(1_999_999_999)), Optional.empty()),
                argumentSet(
                        "a pod without a controller",
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"))
                                .pod("web", on("n1"), nodeSelector("disk", "ssd")),
                        Optional.of(Reason.NO_CONTROLLER)),
                argumentSet("a member of a gang", broken(gangMember()), Optional.of(Reason.GANG_MEMBER)),
                argumentSet(
                        "a pod with claims for devices", broken(resourceClaims()), Optional.of(Reason.RESOURCE_CLAIMS)),
                argumentSet(
                        "a pod that names an eviction responder",
                        broken(evictionResponder()),
                        Optional.of(Reason.HAS_EVICTION_RESPONDER)),
                argumentSet(
                        "a pod of another scheduler",
                        broken(scheduledBy("bin-packing")),
                        Optional.of(Reason.FOREIGN_SCHEDULER)),
                argumentSet(
                        "a pod that its StatefulSet would replace from another revision",
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"))
                                .with(statefulSetChanged(
                                        "db", 1, new StatefulSetRevisions(true, true, 0, 0, "old", "new")))
                                .pod("web", on("n1"), nodeSelector("disk", "ssd"), ownedBy("StatefulSet", "db", "db")),
                        Optional.of(Reason.REVISION_PENDING)),
                argumentSet(
                        "a pod on a node that is not Ready",
                        broken().node("n1", labels("disk", "hdd"), notReady()),
                        Optional.of(Reason.NODE_NOT_READY)),
                argumentSet(
                        "a pod that has not started, bound a minute ago",
                        broken(phase(Phase.PENDING), bound(NOW.minusSeconds(60))),
                        Optional.of(Reason.NOT_STARTED)),
                argumentSet(
                        "a pod that another component is about to remove",
                        broken(beingDisrupted()),
                        Optional.of(Reason.BEING_DISRUPTED)),
                argumentSet(
                        "a pod on a node that is going to be removed",
                        broken().node("n1", labels("disk", "hdd"), leavingSince(NOW)),
                        Optional.of(Reason.NODE_LEAVING)),
                argumentSet(
                        "no other node has the label",
                        cluster().node("n1", labels("disk", "hdd")).node("n2").pod("web", WEB),
                        Optional.of(Reason.INFEASIBLE)),
                argumentSet(
                        "the other node is cordoned",
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"), cordoned())
                                .pod("web", WEB),
                        Optional.of(Reason.INFEASIBLE)),
                argumentSet(
                        "the other node is being deleted",
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"), leavingSince(NOW))
                                .pod("web", WEB),
                        Optional.of(Reason.INFEASIBLE)),
                argumentSet(
                        "the other node has a PreferNoSchedule taint that announces its removal",
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node(
                                        "n2",
                                        labels("disk", "ssd"),
                                        tainted("ToBeDeletedByClusterAutoscaler", "", "PreferNoSchedule"))
                                .pod("web", WEB),
                        Optional.of(Reason.INFEASIBLE)),
                argumentSet(
                        "the other node has a taint",
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"), tainted("gpu", "", "NoSchedule"))
                                .pod("web", WEB),
                        Optional.of(Reason.INFEASIBLE)),
                argumentSet(
                        "the other node is not ready",
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"), notReady())
                                .pod("web", WEB),
                        Optional.of(Reason.INFEASIBLE)),
                argumentSet(
                        "a conflict with a pod of its own namespace",
                        apart(term(app("batch"), ZONE), on("n1"), labels("app", "batch")),
                        Optional.empty()),
                argumentSet(
                        "a conflict with a pod of a namespace that the term lists",
                        apart(
                                term(app("batch"), ZONE, namespaces("data")),
                                in("data"),
                                on("n1"),
                                labels("app", "batch")),
                        Optional.empty()),
                argumentSet(
                        "a conflict with a pod of a namespace that a selector matches",
                        apart(
                                term(app("batch"), ZONE, namespaceSelector(matchLabels("team", "red"))),
                                in("data"),
                                on("n1"),
                                labels("app", "batch")),
                        Optional.empty()),
                argumentSet(
                        "a conflict with a pod of an untrusted namespace",
                        apart(
                                term(app("batch"), ZONE, namespaceSelector(selector())),
                                in("data"),
                                on("n1"),
                                labels("app", "batch")),
                        Optional.of(Reason.UNTRUSTED_CAUSE)),
                argumentSet(
                        "conflicts with a terminating pod of its own namespace and a running one of an untrusted one",
                        apart(
                                        term(app("batch"), ZONE, namespaces("shop"), namespaceSelector(selector())),
                                        on("n1"),
                                        labels("app", "batch"),
                                        terminating(NOW))
                                .pod("stranger", in("data"), on("n1"), labels("app", "batch")),
                        Optional.of(Reason.PARTNERS_LEAVING)),
                argumentSet(
                        "conflicts with a terminating and a running pod of its own namespace",
                        apart(term(app("batch"), ZONE), on("n1"), labels("app", "batch"), terminating(NOW))
                                .pod("batch-2", on("n1"), labels("app", "batch")),
                        Optional.empty()),
                argumentSet(
                        "conflicts with a pod of an untrusted namespace and a daemon of a named exempt one",
                        apart(
                                        term(
                                                app("batch"),
                                                ZONE,
                                                namespaces("kube-system"),
                                                namespaceSelector(selector())),
                                        in("data"),
                                        on("n1"),
                                        labels("app", "batch"))
                                .pod("daemon", in("kube-system"), on("n1"), labels("app", "batch")),
                        Optional.of(Reason.UNTRUSTED_CAUSE)),
                argumentSet(
                        "conflicts with a terminating pod of its own namespace and a daemon of an exempt one",
                        apart(
                                        term(app("batch"), ZONE, namespaces("shop", "kube-system")),
                                        on("n1"),
                                        labels("app", "batch"),
                                        terminating(NOW))
                                .pod("daemon", in("kube-system"), on("n1"), labels("app", "batch")),
                        Optional.of(Reason.PARTNERS_LEAVING)),
                argumentSet(
                        "an affinity to pods of all namespaces",
                        cluster()
                                .node("n1", zone("a"))
                                .node("n2", zone("b"))
                                .namespace("shop", labels("team", "blue"))
                                .namespace("data", labels("team", "red"))
                                .pod(
                                        "web",
                                        on("n1"),
                                        near(term(app("cache"), ZONE, namespaceSelector(selector()))),
                                        ownedBy("ReplicaSet", "web", "rs"))
                                .pod("cache", in("data"), on("n2"), labels("app", "cache")),
                        Optional.of(Reason.UNTRUSTED_CAUSE)),
                argumentSet(
                        "a conflict with a terminating pod",
                        apart(term(app("batch"), ZONE), on("n1"), labels("app", "batch"), terminating(NOW)),
                        Optional.of(Reason.PARTNERS_LEAVING)),
                argumentSet(
                        "a conflict with a terminating pod of the same workload",
                        cluster()
                                .node("n1", zone("a"))
                                .node("n2", zone("b"))
                                .pod("web", alike())
                                .pod("web-2", alike(terminating(NOW))),
                        Optional.of(Reason.PARTNERS_LEAVING)),
                argumentSet(
                        "conflicts with two terminating pods, the second of them for over five minutes",
                        apart(term(app("batch"), ZONE), on("n1"), labels("app", "batch"), terminating(NOW))
                                .pod("batch-2", on("n1"), labels("app", "batch"), terminating(NOW.minusSeconds(301))),
                        Optional.empty()),
                argumentSet(
                        "a conflict with a pod that has been terminating for over five minutes",
                        apart(
                                term(app("batch"), ZONE),
                                on("n1"),
                                labels("app", "batch"),
                                terminating(NOW.minusSeconds(301))),
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("holds")
    void theFirstCheckThatHasSomethingAgainstItHoldsIt(ClusterBuilder facts, Optional<Reason> reason) {
        ReferenceCluster referenceCluster = facts.build();

        Plan plan = plan(List.of(candidate(referenceCluster, "web")), situation(referenceCluster, new Moves()));

        assertThat(plan.held().stream().map(held -> held.hold().reason()))
                .containsExactlyElementsOf(reason.stream().toList());
        assertThat(plan.chosen()).hasSize(reason.isPresent() ? 0 : 1);
    }

    @Test
    void thePlanNamesTheFirstNodeThatWouldTakeThePod() {
        ReferenceCluster referenceCluster =
                broken().node("n0").node("n3", labels("disk", "ssd")).build();

        Plan plan = plan(List.of(candidate(referenceCluster, "web")), situation(referenceCluster, new Moves()));

        assertThat(plan.chosen()).extracting(Plan.Chosen::target).containsExactly(Optional.of("n2"));
    }

    static Stream<Arguments> infeasible() {
        Resources oneSeat = new Resources(0, 0, 0, 1, Map.of());
        ClusterBuilder alone = cluster().node("n1", labels("disk", "hdd")).pod("web", WEB);
        return Stream.of(
                argumentSet("there is no other node", alone, "there is no other node"),
                argumentSet(
                        "the only other node has reached its number of pods",
                        broken().node("n2", labels("disk", "ssd"), allocatable(oneSeat))
                                .pod("other", on("n2")),
                        "of 1 other node: 1 short of pods"),
                argumentSet(
                        "the first objection to each node counts, and the most frequent comes first",
                        broken().node("n2", labels("disk", "ssd"), allocatable(oneSeat))
                                .pod("other", on("n2"))
                                .node("n3")
                                .node("n4")
                                .node("n5", notReady(), cordoned())
                                .node("n6", cordoned()),
                        "of 5 other nodes: 2 against its rules, 1 cordoned or tainted, 1 not Ready, 1 short of pods"),
                argumentSet(
                        "the anti-affinity of another pod excludes it",
                        broken().pod("lonely", on("n2"), apartFrom(term(selector(), HOSTNAME)))
                                .node("n2", labels("disk", "ssd", HOSTNAME, "n2")),
                        "of 1 other node: 1 excluded by other pods' anti-affinity"));
    }

    @ParameterizedTest
    @MethodSource("infeasible")
    void anInfeasibleMoveIsHeldWithWhatSpeaksAgainstTheNodes(ClusterBuilder facts, String expected) {
        ReferenceCluster referenceCluster = facts.build();

        Plan plan = plan(List.of(candidate(referenceCluster, "web")), situation(referenceCluster, new Moves()));

        assertThat(plan.held())
                .extracting(it -> it.hold().message())
                .containsExactly("no other node would take the pod now: " + expected);
    }

    @Test
    void whenInfeasibleEvictChoosesAPodWithoutATarget() {
        ReferenceCluster referenceCluster =
                cluster().node("n1", labels("disk", "hdd")).pod("web", WEB).build();
        Candidate waiting = candidate(referenceCluster, "web");
        Candidate insisting =
                candidate(referenceCluster, waiting.pod(), waiting.rule(), Mode.ENFORCE, WhenInfeasible.EVICT);

        Plan plan = plan(List.of(insisting), situation(referenceCluster, new Moves()));

        assertThat(plan.chosen()).extracting(Plan.Chosen::target).containsExactly(Optional.empty());
    }

    @Test
    void withoutALookAfterItsTimeIsOverNoPodIsEvicted() {
        ClusterBuilder facts = cluster();
        List<Candidate> candidates = many(facts, 2, 2, 1).stream()
                .map(it -> insistingAfter(it, Duration.ofSeconds(60), facts.build()))
                .toList();
        Situation nowhereToGo = situation(facts.build(), new Moves());
        ShuffledPlanner planner = new ShuffledPlanner(1, MANY_NODES);

        assertThat(chosen(candidates, nowhereToGo, planner)).isEmpty();
        assertThat(chosen(candidates, later(nowhereToGo, Duration.ofSeconds(1)), planner))
                .isEmpty();
        assertThat(chosen(candidates, later(nowhereToGo, Duration.ofSeconds(59)), planner))
                .isEmpty();
        assertThat(chosen(candidates, later(nowhereToGo, Duration.ofSeconds(60)), planner))
                .as("it is the turn of the second, for whom it will be time in a second")
                .isEmpty();
        assertThat(chosen(candidates, later(nowhereToGo, Duration.ofSeconds(62)), planner))
                .containsExactly("pod-a");
    }

    private static Candidate insistingAfter(Candidate candidate, Duration time, ReferenceCluster referenceCluster) {
        return candidate(
                referenceCluster, candidate.pod(), candidate.rule(), Mode.ENFORCE, WhenInfeasible.evictAfter(time));
    }

    @Test
    void aPodWithTwoBrokenRulesIsMovedOnceHoweverManyOfItsWorkloadMayMove() {
        ReferenceCluster referenceCluster =
                broken().node("n2", labels("disk", "ssd", "cpu", "new")).build();
        Pod web = referenceCluster.pod("web").orElseThrow();
        Candidate disk = candidate(referenceCluster, "web");
        Candidate cpu =
                candidate(referenceCluster, web, nodeSelectorRule("cpu", "new"), Mode.ENFORCE, WhenInfeasible.WAIT);
        Situation twoOfAWorkload =
                limited(situation(referenceCluster, new Moves()), new OperatorLimits(10, 120, 5, 2, 2));

        Plan plan = plan(List.of(disk, cpu), twoOfAWorkload);

        assertThat(plan.chosen()).hasSize(1);
        assertThat(plan.held()).extracting(Plan.Held::hold).singleElement().satisfies(hold -> {
            assertThat(hold.reason()).isEqualTo(Reason.MOVE_IN_SCOPE);
            assertThat(hold.message())
                    .isEqualTo("the pod itself would be moved first for another rule; the rule is evaluated again"
                            + " after that");
        });
    }

    private static Plan plan(List<Candidate> candidates, Situation situation) {
        return new ShuffledPlanner(candidates.size(), MANY_NODES).plan(candidates, situation);
    }

    private static Situation later(Situation situation, Duration time) {
        return new Situation(
                situation.cluster(),
                situation.rules(),
                situation.clusterSignals(),
                situation.planLimits(),
                situation.moves(),
                situation.now().plus(time));
    }

    @Test
    void planAfterPlanLooksForAPlaceForThoseFirstForWhomItDidSoLongestAgo() {
        ClusterBuilder facts = cluster();
        List<Candidate> candidates = many(facts, 5, 5, 1);
        Situation nowhereToGo = situation(facts.build(), new Moves());
        Situation roomOnN2 = situation(facts.node("n2", labels("disk", "ssd")).build(), new Moves());
        ShuffledPlanner planner = new ShuffledPlanner(2, MANY_NODES);

        Plan first = planner.plan(candidates, nowhereToGo);
        assertThat(first.held())
                .extracting(held -> held.hold().reason())
                .containsExactly(Reason.INFEASIBLE, Reason.INFEASIBLE);
        assertThat(first.later()).hasSize(3);

        Duration second = Duration.ofSeconds(1);
        assertThat(planner.plan(candidates, later(nowhereToGo, second)).later()).hasSize(1);
        planner.nodesChanged();
        Plan third = planner.plan(candidates, later(roomOnN2, second.multipliedBy(2)));

        assertThat(third.later()).isEmpty();
        assertThat(third.held()).extracting(Plan.Held::candidate).containsExactlyElementsOf(candidates.subList(1, 4));
        assertThat(third.chosen())
                .extracting(Plan.Chosen::candidate)
                .containsExactly(candidates.get(0), candidates.get(4));
    }

    @Test
    void aTurnToHaveAPlaceLookedForPassesWhereAnotherOfThePlanGoesFirst() {
        ClusterBuilder facts = broken(priority(-1)).pod("web-2", WEB);
        ReferenceCluster referenceCluster = facts.pod(
                        "work", on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "work", "rs-2"))
                .build();
        List<Candidate> candidates = List.of(
                candidate(referenceCluster, "web"),
                candidate(referenceCluster, "web-2"),
                candidate(referenceCluster, "work"));
        Situation situation = situation(referenceCluster, new Moves());
        ShuffledPlanner planner = new ShuffledPlanner(1, MANY_NODES);

        assertThat(chosen(candidates, situation, planner)).containsExactly("web");
        assertThat(chosen(candidates, situation, planner)).containsExactly("web");
        assertThat(chosen(candidates, situation, planner)).containsExactly("web", "work");
        assertThat(planner.placementCache().size()).isEqualTo(3);
        candidates.forEach(candidate ->
                planner.placementCache().forget(candidate.violation().key()));
        assertThat(planner.placementCache().size()).isZero();
    }

    @Test
    void noPodIsMovedInTheSteadOfOneOfTheSameScopeForWhichNoPlaceWasLookedForYet() {
        ClusterBuilder facts =
                cluster().node("n1", zone("a")).node("n2", zone("b")).pod("cache", on("n2"), labels("app", "cache"));
        for (String name : List.of("web-1", "web-2", "web-3", "web-4")) {
            facts.pod(
                    name,
                    on("n1"),
                    near(term(app("cache"), ZONE)),
                    ownedBy("ReplicaSet", name, name),
                    priority(name.equals("web-1") ? 1 : 2));
        }
        ReferenceCluster referenceCluster = facts.build();
        List<Candidate> all = Stream.of("web-1", "web-2", "web-3", "web-4")
                .map(name -> candidate(referenceCluster, name))
                .toList();
        Situation situation = situation(referenceCluster, new Moves());
        ShuffledPlanner planner = new ShuffledPlanner(2, MANY_NODES);

        assertThat(chosen(all, situation, planner)).containsExactly("web-1");
        List<Candidate> withoutFirst = all.subList(1, 4);
        assertThat(chosen(withoutFirst, later(situation, Duration.ofMillis(200)), planner))
                .as("it is the turn of web-3 and web-4, who come after web-2")
                .isEmpty();
        assertThat(chosen(withoutFirst, later(situation, Duration.ofMillis(400)), planner))
                .containsExactly("web-2");
    }

    @Test
    void aPlanLooksForFewerPlacesWhereManyNodesAreTriedAndForOneAtLeast() {
        ClusterBuilder facts = cluster();
        List<Candidate> candidates = many(facts, 4, 4, 1);
        for (int i = 0; i < 500; i++) {
            facts.node("full-" + i);
        }
        Situation nowhereToGo = situation(facts.build(), new Moves());

        // Each feasibility check costs a little more than 1,500 nodes, 1,000 of them fixed.
        assertThat(lookedFor(candidates, nowhereToGo, new ShuffledPlanner(3, 4_000)))
                .isEqualTo(3);
        assertThat(lookedFor(candidates, nowhereToGo, new ShuffledPlanner(3, 3_000)))
                .isEqualTo(2);
        assertThat(lookedFor(candidates, nowhereToGo, new ShuffledPlanner(3, 1_500)))
                .isEqualTo(1);
        assertThat(lookedFor(candidates, nowhereToGo, new ShuffledPlanner(3, 1)))
                .isEqualTo(1);
    }

    @Test
    void anAuditedCandidateHasItsTurnHoweverManyEnforcedOnesFindNoPlace() {
        ClusterBuilder facts = broken();
        for (int i = 0; i < 30; i++) {
            facts.pod(
                    "stuck-" + i, on("n1"), nodeSelector("disk", "none-" + i), ownedBy("ReplicaSet", "s" + i, "s" + i));
        }
        ReferenceCluster referenceCluster = facts.build();
        List<Candidate> candidates = new ArrayList<>(List.of(candidate(
                referenceCluster,
                referenceCluster.pod("web").orElseThrow(),
                nodeSelectorRule("disk", "ssd"),
                Mode.AUDIT,
                WhenInfeasible.WAIT)));
        for (int i = 0; i < 30; i++) {
            candidates.add(candidate(
                    referenceCluster,
                    referenceCluster.pod("stuck-" + i).orElseThrow(),
                    nodeSelectorRule("disk", "none-" + i),
                    Mode.ENFORCE,
                    WhenInfeasible.WAIT));
        }

        Plan plan = new ShuffledPlanner(10, 5_000).plan(candidates, situation(referenceCluster, new Moves()));

        assertThat(plan.chosen()).extracting(it -> it.candidate().pod().uid()).containsExactly("web");
        assertThat(plan.held()).as("4,500 nodes are for the enforced").hasSize(5);
        assertThat(plan.later()).hasSize(25);
    }

    private static int lookedFor(List<Candidate> candidates, Situation situation, ShuffledPlanner planner) {
        return planner.plan(candidates, situation).held().size();
    }

    private static List<String> chosen(List<Candidate> candidates, Situation situation, ShuffledPlanner planner) {
        return planner.plan(candidates, situation).chosen().stream()
                .map(it -> it.candidate().pod().uid())
                .toList();
    }

    @Test
    void afterAChangeThatMayHelpAPlaceIsLookedForAgainAfterASecondAndThePlanSaysWhen() {
        ReferenceCluster full =
                cluster().node("n1", labels("disk", "hdd")).pod("web", WEB).build();
        List<Candidate> web = List.of(candidate(full, "web"));
        Situation nowhereToGo = situation(full, new Moves());
        Situation roomOnN2 = situation(broken().build(), new Moves());
        ShuffledPlanner planner = new ShuffledPlanner(1, MANY_NODES);
        assertThat(planner.plan(web, nowhereToGo).nextLook()).isEmpty();

        planner.nodesChanged();
        Plan soon = planner.plan(web, later(roomOnN2, Duration.ofMillis(999)));
        assertThat(soon.chosen()).isEmpty();
        assertThat(soon.nextLook()).contains(NOW.plusSeconds(1));

        assertThat(planner.plan(web, later(roomOnN2, Duration.ofSeconds(1))).chosen())
                .hasSize(1);
    }

    @Test
    void withoutAChangeThatMayHelpNoPlaceIsLookedForUntil30SecondsHavePassed() {
        ReferenceCluster full =
                cluster().node("n1", labels("disk", "hdd")).pod("web", WEB).build();
        List<Candidate> web = List.of(candidate(full, "web"));
        Situation roomOnN2 = situation(broken().build(), new Moves());
        ShuffledPlanner planner = new ShuffledPlanner(1, MANY_NODES);
        planner.plan(web, situation(full, new Moves()));

        Plan soon = planner.plan(web, later(roomOnN2, Duration.ofMillis(29_999)));
        assertThat(soon.chosen()).isEmpty();
        assertThat(soon.nextLook()).contains(NOW.plusSeconds(30));

        assertThat(planner.plan(web, later(roomOnN2, Duration.ofSeconds(30))).chosen())
                .hasSize(1);
    }

    @Test
    void podsOfOneTemplateShareASearchThatTheNodesAloneDecide() {
        PodTrait[] apart = {labels("app", "web"), nodeSelector("disk", "ssd"), apartFrom(term(app("web"), ZONE))};
        ClusterBuilder facts =
                cluster().node("n1", zone("a"), labels("disk", "ssd")).node("n2", zone("b"), labels("disk", "hdd"));
        facts.pod("web-1", with(apart, on("n1"), ownedBy("ReplicaSet", "web-1", "web-1")));
        facts.pod("web-2", with(apart, on("n1"), ownedBy("ReplicaSet", "web-2", "web-2")));
        facts.pod("web-3", with(apart, on("n2"), ownedBy("ReplicaSet", "web-3", "web-3"), in("ns-2")));
        ReferenceCluster referenceCluster = facts.build();
        Rule rule = new Rule.PodAntiAffinity(term(app("web"), ZONE));
        List<Candidate> candidates = List.of(
                waiting(referenceCluster, "web-1", rule),
                waiting(referenceCluster, "web-2", rule),
                candidate(referenceCluster, "web-3"));

        Plan plan = new ShuffledPlanner(1, MANY_NODES).plan(candidates, situation(referenceCluster, new Moves()));

        assertThat(plan.held())
                .as("one search is for both pods on n1, because no other node has an SSD")
                .extracting(Plan.Held::candidate)
                .containsExactlyElementsOf(candidates.subList(0, 2));
        assertThat(plan.later())
                .as("the pod on n2 needs a search of its own, because n1 would take it")
                .containsExactly(candidates.get(2));
    }

    private static Candidate waiting(ReferenceCluster referenceCluster, String pod, Rule rule) {
        return candidate(
                referenceCluster, referenceCluster.pod(pod).orElseThrow(), rule, Mode.ENFORCE, WhenInfeasible.WAIT);
    }

    private static PodTrait[] with(PodTrait[] traits, PodTrait... more) {
        return Stream.concat(Stream.of(traits), Stream.of(more)).toArray(PodTrait[]::new);
    }

    @Test
    void thoseWhoAreHeldAnywayTakeNobodysTurnToHaveAPlaceLookedFor() {
        ClusterBuilder facts = broken().pod("bare-1", on("n1"), nodeSelector("disk", "ssd"));
        ReferenceCluster referenceCluster =
                facts.pod("bare-2", on("n1"), nodeSelector("disk", "ssd")).build();
        List<Candidate> candidates = List.of(
                candidate(referenceCluster, "bare-1"),
                candidate(referenceCluster, "bare-2"),
                candidate(referenceCluster, "web"));

        Plan plan = new ShuffledPlanner(1, MANY_NODES).plan(candidates, situation(referenceCluster, new Moves()));

        assertThat(plan.chosen()).extracting(it -> it.candidate().pod().uid()).containsExactly("web");
        assertThat(plan.held()).extracting(held -> held.hold().reason()).containsOnly(Reason.NO_CONTROLLER);
    }

    @Test
    void enforcedBeforeAuditedHasAPlaceLookedFor() {
        ReferenceCluster referenceCluster = broken().node("n3", labels("disk", "hdd"))
                .pod("enforced", on("n3"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "other", "other"))
                .build();
        Pod web = referenceCluster.pod("web").orElseThrow();
        Candidate audited =
                candidate(referenceCluster, web, nodeSelectorRule("disk", "ssd"), Mode.AUDIT, WhenInfeasible.WAIT);

        Plan plan = new ShuffledPlanner(1, MANY_NODES)
                .plan(
                        List.of(audited, candidate(referenceCluster, "enforced")),
                        situation(referenceCluster, new Moves()));

        assertThat(plan.chosen()).extracting(it -> it.candidate().pod().uid()).containsExactly("enforced");
        assertThat(plan.later()).containsExactly(audited);
    }

    @Test
    void whatIsForgottenOfAPlaceIsLookedForAgain() {
        ReferenceCluster referenceCluster = broken().build();
        List<Candidate> candidates = List.of(candidate(referenceCluster, "web"));
        ShuffledPlanner planner = new ShuffledPlanner(1, MANY_NODES);
        planner.plan(candidates, situation(referenceCluster, new Moves()));
        assertThat(planner.placementCache().size()).isEqualTo(1);

        planner.placementCache().forget(candidates.getFirst().violation().key());

        assertThat(planner.placementCache().size()).isZero();
    }

    /**
     * Adds violating pods and their nodes to the cluster, and returns their candidates.
     *
     * @param pods the number of pods, each of its own workload
     * @param namespaces the number of namespaces that the pods are in
     * @param perNode the number of pods on each node
     */
    private static List<Candidate> many(ClusterBuilder facts, int pods, int namespaces, int perNode) {
        for (int i = 0; i < pods; i++) {
            String node = "old-" + i / perNode;
            facts.node(node, labels("disk", "hdd"))
                    .pod(
                            "pod-" + (char) ('a' + i),
                            in("ns-" + i % namespaces),
                            on(node),
                            nodeSelector("disk", "ssd"),
                            // Pods of one template would share a search for a node.
                            tolerating("of", "rs-" + i, "NoSchedule"),
                            ownedBy("ReplicaSet", "rs-" + i, "rs-" + i));
        }
        ReferenceCluster referenceCluster = facts.build();
        return referenceCluster.pods().stream()
                .map(pod -> candidate(referenceCluster, pod.uid()))
                .toList();
    }

    @Test
    void tenAreInFlightInTheClusterAndTheOthersAreHeldByThat() {
        ClusterBuilder facts = cluster().node("n2", labels("disk", "ssd"));
        List<Candidate> candidates = many(facts, 12, 6, 1);

        Plan plan = plan(candidates, situation(facts.build(), afterSuccesses(10, "ns-0")));

        assertThat(plan.chosen()).hasSize(10);
        assertThat(plan.held()).extracting(held -> held.hold().reason()).containsOnly(Reason.CLUSTER_LIMIT);
    }

    @Test
    void fiveAreInFlightInANamespaceAndTheOthersAreHeldByThat() {
        ClusterBuilder facts = cluster().node("n2", labels("disk", "ssd"));
        List<Candidate> candidates = many(facts, 7, 1, 1);

        Plan plan = plan(candidates, situation(facts.build(), afterSuccesses(10, "ns-0")));

        assertThat(plan.chosen()).hasSize(5);
        assertThat(plan.held()).extracting(held -> held.hold().reason()).containsOnly(Reason.NAMESPACE_LIMIT);
    }

    @Test
    void twoAreInFlightFromANodeAndTheOthersAreHeldByThat() {
        ClusterBuilder facts = cluster().node("n2", labels("disk", "ssd"));
        List<Candidate> candidates = many(facts, 4, 4, 4);

        Plan plan = plan(candidates, situation(facts.build(), new Moves()));

        assertThat(plan.chosen()).hasSize(2);
        assertThat(plan.held()).extracting(held -> held.hold().reason()).containsOnly(Reason.NODE_LIMIT);
    }

    @Test
    void aHundredAndTwentyWithinAnHourHoldAllOthersUntilTheFirstIsAnHourOld() {
        ReferenceCluster referenceCluster = broken().build();

        Plan plan = plan(List.of(candidate(referenceCluster, "web")), situation(referenceCluster, spent(120)));

        assertThat(plan.held()).extracting(Plan.Held::hold).singleElement().satisfies(hold -> {
            assertThat(hold.reason()).isEqualTo(Reason.HOURLY_LIMIT);
            assertThat(hold.nextLook()).contains(NOW.plus(Duration.ofMinutes(1)));
        });
    }

    @Test
    void whatWasEvictedAnHourAgoCountsNoMore() {
        ReferenceCluster referenceCluster = broken().build();
        Moves moves = new Moves();
        moves.spend(
                moving(candidate(referenceCluster, "web"), "m-0", new Move.Stage.Confirming(NOW)),
                NOW.minus(Duration.ofHours(1)));

        Plan plan = plan(List.of(candidate(referenceCluster, "web")), situation(referenceCluster, spent(moves, 107)));

        assertThat(plan.chosen()).hasSize(1);
    }

    /** {@return moves with this number of evictions within the last hour} */
    private static Moves spent(int evictions) {
        return spent(new Moves(), evictions);
    }

    private static Moves spent(Moves moves, int evictions) {
        Move moved = moving(candidate(broken().build(), "web"), "m-0", new Move.Stage.Confirming(NOW));
        for (int i = 0; i < evictions; i++) {
            moves.spend(moved, NOW.minus(Duration.ofMinutes(59)).plusSeconds(i));
        }
        return moves;
    }

    @Test
    void ofTwoCandidatesAfterAHundredAndNineteenWithinAnHourOneIsChosen() {
        ClusterBuilder facts = cluster().node("n2", labels("disk", "ssd"));
        List<Candidate> candidates = many(facts, 2, 2, 1);

        Plan plan = plan(candidates, situation(facts.build(), spent(119)));

        assertThat(plan.chosen()).hasSize(1);
        assertThat(plan.held()).extracting(held -> held.hold().reason()).containsExactly(Reason.HOURLY_LIMIT);
    }

    static Stream<Arguments> stages() {
        Set<String> siblings = Set.of("web-2");
        return Stream.of(
                argumentSet("its pod is being read", new Move.Stage.Confirming(NOW), 1),
                argumentSet("its dry run is running", new Move.Stage.DryRunning(NOW, 1), 1),
                argumentSet("the real request is sent", new Move.Stage.Requested(NOW, siblings), 1),
                argumentSet("its outcome is unknown", new Move.Stage.Unknown(NOW, siblings), 1),
                argumentSet("it is one of the 107 counted evictions", new Move.Stage.Evicted(NOW, siblings), 0),
                argumentSet("the replacement is bound", new Move.Stage.Landed(NOW, siblings, "new", "n2"), 0));
    }

    @ParameterizedTest
    @MethodSource("stages")
    void aMoveThatMayStillBecomeAnEvictionCountsForTheHour(Move.Stage stage, int held) {
        ReferenceCluster referenceCluster = broken().node("n3", labels("disk", "hdd"))
                .pod("other", on("n3"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "other", "other"))
                .build();
        Moves moves = spent(107);
        moves.put(moving(candidate(referenceCluster, "other"), "p", stage));

        Plan plan = plan(List.of(candidate(referenceCluster, "web")), situation(referenceCluster, moves));

        assertThat(plan.held()).hasSize(held).allMatch(it -> it.hold().reason() == Reason.HOURLY_LIMIT);
    }

    @Test
    void aWorkloadWithAMoveInFlightWaitsEvenWhenItsReplacementHasLanded() {
        ReferenceCluster referenceCluster =
                broken().pod("web-2", WEB).pod("web-3", WEB).build();
        Moves moves = new Moves();
        moves.put(moving(
                candidate(referenceCluster, "web-2"),
                "p",
                new Move.Stage.Landed(NOW.minusSeconds(5), Set.of("web-2"), "new", "n2")));

        Plan plan = plan(List.of(candidate(referenceCluster, "web")), situation(referenceCluster, moves));

        assertThat(plan.held()).extracting(held -> held.hold().reason()).containsExactly(Reason.WORKLOAD_LIMIT);
    }

    static Stream<Arguments> stagesInFlight() {
        Set<String> siblings = Set.of("api");
        Optional<Reason> held = Optional.of(Reason.MOVE_IN_SCOPE);
        return Stream.of(
                argumentSet("its pod is being read", new Move.Stage.Confirming(NOW), held),
                argumentSet("its dry run is running", new Move.Stage.DryRunning(NOW, 1), held),
                argumentSet("the real request is sent", new Move.Stage.Requested(NOW, siblings), held),
                argumentSet("the request got no response", new Move.Stage.Unknown(NOW, siblings), held),
                argumentSet(
                        "no replacement is bound 119 s after the eviction",
                        new Move.Stage.Evicted(NOW.minusSeconds(119), siblings),
                        held),
                argumentSet(
                        "no replacement is bound 120 s after the eviction",
                        new Move.Stage.Evicted(NOW.minusSeconds(120), siblings),
                        Optional.empty()),
                argumentSet(
                        "the replacement is bound, another pod",
                        new Move.Stage.Landed(NOW, siblings, "new", "n2"),
                        Optional.empty()),
                argumentSet(
                        "the replacement is bound, and is the candidate's pod",
                        new Move.Stage.Landed(NOW, siblings, "web", "n1"),
                        held));
    }

    @ParameterizedTest
    @MethodSource("stagesInFlight")
    void aScopeWaitsForAMoveInFlightUntilItsReplacementIsBound(Move.Stage stage, Optional<Reason> expected) {
        PodTrait near = near(term(app("cache"), ZONE));
        ReferenceCluster referenceCluster = cluster()
                .node("n1", zone("a"))
                .node("n2", zone("b"))
                .pod("cache", on("n2"), labels("app", "cache"))
                .pod("api", on("n1"), near, ownedBy("ReplicaSet", "api", "rs-api"))
                .pod("web", on("n1"), near, ownedBy("ReplicaSet", "web", "rs-web"))
                .build();

        assertThat(heldBeside(referenceCluster, candidate(referenceCluster, "web"), stage))
                .isEqualTo(expected);
    }

    private static Optional<Reason> heldBeside(
            ReferenceCluster referenceCluster, Candidate candidate, Move.Stage stage) {
        Moves moves = new Moves();
        moves.put(moving(candidate(referenceCluster, "api"), "p", stage));
        return plan(List.of(candidate), situation(referenceCluster, moves)).held().stream()
                .map(held -> held.hold().reason())
                .findFirst();
    }
}
