package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.quotaChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetFails;
import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.evictionResponder;
import static dev.holdfast.policies.testing.PodTraits.gangMember;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.localStorage;
import static dev.holdfast.policies.testing.PodTraits.mirror;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.resourceClaims;
import static dev.holdfast.policies.testing.PodTraits.restartPolicy;
import static dev.holdfast.policies.testing.PodTraits.scheduledBy;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.HoldEnd;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every hold ends: a row here, or the named test of another class, shows how. */
class HoldEndsTest {
    /** The tests that show the end of a hold, as class in this module and method. */
    private static final Map<Reason, String> SHOWN_BY = Map.ofEntries(
            Map.entry(Reason.VIEW_NOT_SYNCED, "engine.EngineSafetyTest#aLostViewHoldsEverythingUntilItIsBack"),
            Map.entry(
                    Reason.VIEW_BEHIND,
                    "engine.EngineSafetyTest#aPodThatTheApiServerKnowsNewerThanTheFeedIsHeldAndLookedAtAgain"),
            Map.entry(Reason.VERDICTS_DIFFER, "engine.DistrustTest#aUserWhoAcknowledgesTheDifferenceLetsEvictionsGoOn"),
            Map.entry(
                    Reason.NOT_LEADER,
                    "engine.EngineSafetyTest#aReplicaThatTakesOverForgivesAgainWhatAnotherMayBeMovingAlready"),
            Map.entry(Reason.LEDGER_UNREAD, "engine.LedgerTest#noPodMovesBeforeTheLedgerIsRead"),
            Map.entry(Reason.LEDGER_UNWRITTEN, "engine.LedgerTest#noPodMovesWhileTheLedgerCannotBeWritten"),
            Map.entry(Reason.PAUSED, "engine.PauseScenarioTest#whatIsDueIsHeldWhileAPauseAppliesAndLeavesWhenItIsGone"),
            Map.entry(Reason.TOO_COMPLEX, "engine.UnreadNodesTest#theHoldEndsWithTheNodeOrItsPod"),
            Map.entry(
                    Reason.MARKED_BY_OTHERS,
                    "engine.AnnotationsTest#aPodGoesAtOnceWhenAnAnnotationForAnotherComponentIsTakenOff"),
            Map.entry(Reason.KEPT, "engine.AnnotationsTest#aPodThatIsKeptNoMoreGoesOneForgivenessAfterThat"),
            Map.entry(
                    Reason.WORKLOAD_DEGRADED,
                    "engine.DegradedWorkloadTest#theHoldEndsWhenTheOtherPodIsReadyEvenIfNoControllerSaysSo"),
            Map.entry(
                    Reason.EXCEPTION,
                    "engine.WallClockScenarioTest#whatEndsByTheWallClockEndsEarlierForAnEngineWhoseClockIsBehind"),
            Map.entry(
                    Reason.WINDOW_CLOSED,
                    "engine.WallClockScenarioTest#whatEndsByTheWallClockEndsEarlierForAnEngineWhoseClockIsBehind"),
            Map.entry(Reason.LABEL_BREAKER, "engine.LabelBreakerTest#itClosesByItselfWhenEnoughNodesHaveTheLabelAgain"),
            Map.entry(
                    Reason.VOLUME_BREAKER,
                    "engine.VolumeBreakerTest#acknowledgedItClosesAndEvictionsBeginWithOneAndDouble"),
            Map.entry(Reason.OUTCOME_BREAKER, "engine.OutcomeBreakerTest#anAcknowledgementLetsOneMoveAtATime"),
            Map.entry(
                    Reason.POLICY_BACKLOG,
                    "engine.BacklogTest#acknowledgedEarlyNoPodGoesBeforeOneFullForgivenessFromTheEdit"),
            Map.entry(Reason.NOT_STARTED, "engine.QuietFirstTest#aPodThatDoesNotStartIsMovedTenMinutesAfterItsBinding"),
            Map.entry(
                    Reason.BEING_DISRUPTED,
                    "engine.QuietFirstTest#aPodThatAnotherClientIsAboutToRemoveIsLeftToItUntilItGivesUp"),
            Map.entry(Reason.DOMAIN_ADDED, "engine.RebalanceTest#podsAreMovedToANewZoneWhenItHasLastedForAnHour"),
            Map.entry(Reason.WORKLOAD_UNSETTLED, "engine.QuietFirstTest#aWorkloadThatIsScaledIsLeftAloneFor300S"),
            Map.entry(
                    Reason.MOVE_IN_SCOPE,
                    "engine.ReplacementTrackerTest#aScopeWhoseReplacementHasNoNodeWithin120SIsJudgedAgainByItself"),
            Map.entry(Reason.CLUSTER_UNHEALTHY, "engine.UnhealthyClusterTest#itIsMovedAsSoonAsTheNodesAreBack"),
            Map.entry(Reason.FUTILE, "engine.FutileMoveTest#inTwoDaysItIsMovedFiveTimesEverMoreSeldomAndThenGivenUp"),
            Map.entry(Reason.ENFORCEMENT_FUTILE, "engine.FutileMoveTest#anEditOfTheRulesStartsAgainAndNoOtherEditDoes"),
            Map.entry(Reason.RESTLESS, "engine.RestlessTest#aPodWhoseLabelFlapsEveryHourMovesEverMoreSeldom"),
            Map.entry(
                    Reason.CLUSTER_LIMIT,
                    "engine.ReplacementTrackerTest#aScopeThatIsFreeAgainLeavesTheSlotsOfTheLimitsTakenUntilThe"
                            + "ReplacementIsReady"),
            Map.entry(
                    Reason.SLOW_START,
                    "engine.OutcomeBreakerTest#twoMoveAtFirstAndOneMoreAtOnceWithEachReadyReplacement"),
            Map.entry(
                    Reason.HOURLY_LIMIT,
                    "plan.PlannerTest#aHundredAndTwentyWithinAnHourHoldAllOthersUntilTheFirstIsAnHourOld"),
            Map.entry(Reason.NAMESPACE_LIMIT, "engine.HoldEndsTest#aLimitOfMovesInFlightEndsWhenOneHasEnded"),
            Map.entry(Reason.NODE_LIMIT, "engine.HoldEndsTest#aLimitOfMovesInFlightEndsWhenOneHasEnded"),
            Map.entry(
                    Reason.WORKLOAD_LIMIT,
                    "engine.ReplacementTrackerTest#theNextPodOfAWorkloadWaitsUntilTheReplacementOfTheFirstIsReady"),
            Map.entry(
                    Reason.POLICY_LIMIT,
                    "engine.ConductEditsTest#aLimitThatAllowedSomethingAndIsRaisedLetsTheOtherPodGoAtOnce"),
            Map.entry(
                    Reason.RESUMING,
                    "engine.LabelBreakerTest#acknowledgedItClosesAndEvictionsBeginWithOneAndDoubleEveryTenMinutes"),
            Map.entry(
                    Reason.QUEUED,
                    "engine.PlanningPaceTest#ofMoreThan3000EachPlanLooksAtTheNext3000AndTheOthersWaitForTheirTurn"),
            Map.entry(Reason.NOT_POSSIBLE, "engine.RequiredWherePossibleTest#aHeldPodMovesOnceANodeSatisfiesTheRule"),
            Map.entry(Reason.VOLUME_PINNED, "engine.VolumesTest#aHeldPodMovesOnce"),
            Map.entry(Reason.VOLUME_UNREADABLE, "engine.VolumesTest#aHeldPodMovesOnce"),
            Map.entry(Reason.TRADES_VIOLATIONS, "engine.TradingTest#aHeldPodMovesOnceThePodThatMustBeNearItIsGone"),
            Map.entry(Reason.CONTRADICTS, "engine.ContradictsTest#aHeldPodMovesOnceOneOfThePoliciesIsWithdrawn"),
            Map.entry(
                    Reason.DISRUPTION_BUDGET,
                    "engine.EngineSafetyTest#aHoldByABudgetIsLiftedByWhatHappensToThatBudget"),
            Map.entry(
                    Reason.DISRUPTION_BUDGET_NEVER_ALLOWS,
                    "engine.EngineSafetyTest#aBudgetThatNeverAllowedAnythingAndIsLoosenedLiftsItsHold"),
            Map.entry(
                    Reason.THROTTLED,
                    "engine.ThrottlingTest#aThrottledDryRunHoldsAllPodsForItsRetryAfterAndAtMostHalfAsLongAgain"),
            Map.entry(
                    Reason.CONFLICT,
                    "engine.EngineSafetyTest#aPodThatChangesAllTheTimeIsEvictedByItsUidAloneAfterTheThirdConflict"),
            Map.entry(
                    Reason.OUTCOME_UNKNOWN,
                    "engine.OwedAnswerTest#anEvictionWithoutAnAnswerForAMinuteCountsAsUnknownAndIsTriedAgainAfterFour"
                            + "More"));

    /**
     * A hold and its end.
     *
     * @param name what ends the hold
     * @param begun a cluster and a policy, 100 s after a rule was broken that is forgiven for 60 s
     * @param end what ends the hold; nothing if time ends it
     * @param evicted the pods that are evicted within an hour after that; none if the end is that of the violation
     */
    record Row(Reason reason, String name, EngineScenario begun, Consumer<EngineScenario> end, List<String> evicted) {
        Arguments arguments() {
            return argumentSet(reason.label() + " ends when " + name, this);
        }
    }

    private static final Policy WIDE = everywhere(enforcing());
    private static final Policy EXCLUDING = over(matchLabels("app", "other"), WIDE);

    /** {@return the traits of a pod that needs the label disk=ssd, on a node without it} */
    private static PodTrait[] web(PodTrait... traits) {
        List<PodTrait> all = new ArrayList<>(List.of(on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")));
        all.addAll(List.of(traits));
        return all.toArray(PodTrait[]::new);
    }

    private static ClusterBuilder nodes() {
        return cluster().node("n1", labels("disk", "hdd")).node("n2", labels("disk", "ssd"));
    }

    private static ClusterBuilder broken(PodTrait... traits) {
        return nodes().pod("web", web(traits));
    }

    /** {@return a row that an event ends, so that the pod is evicted} */
    private static Row released(Reason reason, String name, ClusterBuilder facts, Event... end) {
        return new Row(
                reason,
                name,
                EngineScenario.begin(facts, WIDE).afterSeconds(100),
                it -> List.of(end).forEach(event -> happens(event, it)),
                List.of("web"));
    }

    /** {@return a row of a pod that a policy must allow to be evicted} */
    private static Row allowed(Reason reason, PodTrait... traits) {
        return released(
                reason,
                "the policy allows it",
                broken(traits),
                new Event.PolicyChanged(WIDE, allowing(Set.of(reason), Optional.empty())));
    }

    /** {@return a row of a pod that no change of the policy lets be evicted, so that the policy must exclude it} */
    private static Row excluded(Reason reason, PodTrait... traits) {
        return new Row(
                reason,
                "the policy excludes the pod",
                EngineScenario.begin(broken(traits), WIDE).afterSeconds(100),
                it -> it.event(new Event.PolicyChanged(EXCLUDING)),
                List.of());
    }

    /** {@return a row of a hold that lasts as long as the API server answers so} */
    private static Row answered(Reason reason, EvictionAnswer answer) {
        return new Row(
                reason,
                "the API server accepts the dry run",
                EngineScenario.begin(broken(), WIDE)
                        .answeringDryRuns(_ -> answer)
                        .afterSeconds(100),
                it -> it.answeringDryRuns(_ -> new EvictionAnswer.Evicted()),
                List.of("web"));
    }

    private static DisruptionControls allowing(Set<Reason> reasons, Optional<LabelSelector> trusted) {
        return new DisruptionControls(
                List.of(), List.of(), reasons, trusted.map(it -> matcher(it)), PodOverrides.all(), PolicyLimits.none());
    }

    private static void happens(Event event, EngineScenario scenario) {
        if (event instanceof Event.ObjectChanged(ClusterEvent fact)) {
            scenario.happens(fact);
        } else {
            scenario.event(event);
        }
    }

    private static Event fact(ClusterEvent change) {
        return new Event.ObjectChanged(change);
    }

    private static ClusterEvent statefulSet(String update) {
        return statefulSetChanged("db", 1, new StatefulSetRevisions(true, false, 0, 0, "old", update));
    }

    private static Stream<Row> rows() {
        PodTrait apart = apartFrom(term(app("web"), HOSTNAME));
        ClusterBuilder strangers = cluster()
                .node("n1", hostname("n1"))
                .node("n2", hostname("n2"))
                .namespace("data", labels("team", "red"))
                .pod(
                        "web",
                        on("n1"),
                        replicaOf("web"),
                        apartFrom(term(app("batch"), HOSTNAME, namespaceSelector(selector()))))
                .pod("batch", in("data"), on("n1"), labels("app", "batch"));
        return Stream.of(
                excluded(Reason.MIRROR_POD, mirror()),
                excluded(Reason.DAEMON_SET_POD, ownedBy("DaemonSet", "agent", "ds")),
                excluded(Reason.PROTECTED_NAMESPACE, in("kube-system")),
                excluded(Reason.SYSTEM_CRITICAL, priority(2_000_000_000)),
                excluded(Reason.RESOURCE_CLAIMS, resourceClaims()),
                released(
                        Reason.NO_CONTROLLER,
                        "a controller adopts the pod",
                        nodes().pod("web", on("n1"), nodeSelector("disk", "ssd")),
                        fact(podChanged("web", web()))),
                released(
                        Reason.GANG_MEMBER,
                        "the pod leaves its group",
                        broken(gangMember()),
                        fact(podChanged("web", web()))),
                allowed(Reason.UNKNOWN_CONTROLLER, ownedBy("Rollout", "web", "r")),
                allowed(Reason.RUNS_TO_COMPLETION, restartPolicy(RestartPolicy.NEVER)),
                allowed(Reason.FOREIGN_SCHEDULER, scheduledBy("bin-packing")),
                allowed(Reason.HAS_EVICTION_RESPONDER, evictionResponder()),
                allowed(Reason.LOCAL_STORAGE, localStorage()),
                new Row(
                        Reason.TOO_FEW_REPLICAS,
                        "another replica is Ready",
                        EngineScenario.begin(broken())
                                .event(new Event.PolicyChanged(WIDE, keepingOne()))
                                .afterSeconds(100),
                        it -> it.happens(podChanged("web-2", on("n2"), replicaOf("web"))),
                        List.of("web")),
                new Row(
                        Reason.REVISION_PENDING,
                        "the roll-out is undone",
                        EngineScenario.begin(
                                        nodes().with(statefulSet("new"))
                                                .pod(
                                                        "db-0",
                                                        on("n1"),
                                                        nodeSelector("disk", "ssd"),
                                                        labels(StatefulSetRevisions.LABEL, "old"),
                                                        ownedBy("StatefulSet", "db", "db")),
                                        WIDE)
                                .afterSeconds(100),
                        it -> it.happens(statefulSet("old")),
                        List.of("db-0")),
                released(
                        Reason.QUOTA_EXCEEDED,
                        "the quota is raised",
                        broken().with(quotaChanged("q", "pods", 1, 2)),
                        fact(quotaChanged("q", "pods", 2, 2))),
                released(
                        Reason.REPLACEMENT_REFUSED,
                        "the controller can create pods again",
                        broken().with(replicaSetFails("web", "web", 1, "the webhook is down")),
                        fact(replicaSetChanged("web", "web", 1))),
                released(
                        Reason.NODE_NOT_READY,
                        "the node is Ready again",
                        broken().node("n1", labels("disk", "hdd"), notReady()),
                        fact(nodeChanged("n1", labels("disk", "hdd")))),
                released(
                        Reason.UNTRUSTED_CAUSE,
                        "the policy trusts the namespace",
                        strangers,
                        new Event.PolicyChanged(WIDE, allowing(Set.of(), Optional.of(matchLabels("team", "red"))))),
                released(
                        Reason.NODE_LEAVING,
                        "the taint is removed",
                        broken().node("n1", labels("disk", "hdd"), tainted("karpenter.sh/disrupted", "", "NoSchedule")),
                        fact(nodeChanged("n1", labels("disk", "hdd")))),
                released(
                        Reason.PARTNERS_LEAVING,
                        "the other pod should have been gone for five minutes",
                        cluster()
                                .node("n1", hostname("n1"))
                                .node("n2", hostname("n2"))
                                .pod("web", on("n1"), replicaOf("web"), apart)
                                .pod(
                                        "old",
                                        on("n1"),
                                        replicaOf("old"),
                                        labels("app", "web"),
                                        terminating(EngineScenario.START))),
                released(
                        Reason.INFEASIBLE,
                        "another node gets the label",
                        cluster().node("n1").node("n2").pod("web", web()),
                        fact(nodeChanged("n2", labels("disk", "ssd")))),
                answered(Reason.SEVERAL_BUDGETS, new EvictionAnswer.SeveralBudgets("two budgets")),
                answered(Reason.REFUSED_BY_ADMISSION, new EvictionAnswer.RefusedByAdmission("not on Fridays")),
                answered(Reason.DRY_RUN_UNSUPPORTED, new EvictionAnswer.DryRunUnsupported("no dry run")),
                answered(Reason.FORBIDDEN, new EvictionAnswer.Forbidden("no right")),
                answered(Reason.NAMESPACE_TERMINATING, new EvictionAnswer.NamespaceTerminating()),
                answered(Reason.API_ERROR, new EvictionAnswer.Failed("500")));
    }

    private static DisruptionControls keepingOne() {
        return ControlsDraft.plain().minReplicas(1).controls();
    }

    static Stream<Arguments> ends() {
        return rows().map(Row::arguments);
    }

    @ParameterizedTest
    @MethodSource("ends")
    void aHoldEnds(Row row) {
        assertThat(row.begun().holds()).containsExactly(row.reason());
        assertThat(row.begun().evicted()).isEmpty();

        row.end().accept(row.begun());
        row.begun().afterSeconds(3_600);

        assertThat(row.begun().evicted()).isEqualTo(row.evicted());
        assertThat(row.begun().report(WIDE).holds()).isEmpty();
    }

    /** {@return pods of different workloads, each on the node that has its turn, of which each needs another node} */
    private static ClusterBuilder broken(int pods, String... nodes) {
        ClusterBuilder facts = cluster().node("spare", labels("disk", "ssd"));
        List.of(nodes).forEach(node -> facts.node(node, labels("disk", "hdd")));
        for (int i = 0; i < pods; i++) {
            String name = "web-" + (i + 1);
            facts.pod(name, on(nodes[i % nodes.length]), replicaOf(name), nodeSelector("disk", "ssd"));
        }
        return facts;
    }

    static Stream<Arguments> limits() {
        return Stream.of(
                argumentSet("two from a node", Reason.NODE_LIMIT, 2, broken(3, "n1")),
                argumentSet("five of a namespace", Reason.NAMESPACE_LIMIT, 5, broken(6, "n1", "n2", "n3")));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aLimitOfMovesInFlightEndsWhenOneHasEnded(Reason reason, int most, ClusterBuilder facts) {
        EngineScenario scenario = EngineScenario.begin(
                        EngineScenario.settingsWithout(Set.of(Reason.SLOW_START)), facts, WIDE)
                .afterSeconds(100);
        assertThat(scenario.evicted()).hasSize(most);
        assertThat(scenario.holds()).containsExactly(reason);

        String first = scenario.evicted().getFirst();
        scenario.happens(podChanged(
                        "new", on("spare"), replicaOf(first), created(EngineScenario.START.plusSeconds(100))))
                .afterSeconds(60);

        assertThat(scenario.evicted()).hasSize(most + 1);
    }

    @Test
    void theEndOfEveryHoldIsShownByOneTest() {
        List<Reason> shown = Stream.concat(SHOWN_BY.keySet().stream(), rows().map(Row::reason))
                .toList();

        assertThat(shown)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Reason.values())
                        .filter(it -> HoldEnd.of(it).isPresent())
                        .toList());
        assertThat(SHOWN_BY.values()).allSatisfy(HoldEndsTest::isATest);
    }

    private static void isATest(String classAndMethod) throws ClassNotFoundException {
        String[] parts = classAndMethod.split("#", 2);
        Class<?> tests = Class.forName("dev.holdfast.policies." + parts[0]);
        assertThat(Arrays.stream(tests.getDeclaredMethods())
                        .filter(it ->
                                it.isAnnotationPresent(Test.class) || it.isAnnotationPresent(ParameterizedTest.class))
                        .map(Method::getName))
                .as("tests of %s", tests)
                .contains(parts[1]);
    }

    @Test
    void aHoldThatOnlyAPersonEndsSaysWhatToDo() {
        assertThat(Hold.untilChange(Reason.NODE_NOT_READY, "node n1 is not Ready")
                        .advised())
                .isEqualTo("node n1 is not Ready; repair the node, or delete it");
    }

    @Test
    void aHoldThatItsTimeEndsGivesNoAdviceBesides() {
        String kept = "annotation holdfast.dev/keep of the pod forbids the eviction";
        String until = kept + " until 2026-11-20T12:20:00Z";

        assertThat(Hold.until(Reason.KEPT, until, Instant.parse("2026-11-20T12:20:00Z"))
                        .advised())
                .isEqualTo(until);
        assertThat(Hold.untilChange(Reason.KEPT, kept).advised())
                .isEqualTo(kept + "; remove the annotation, or set maxKeepSeconds in a ClusterPlacementPolicy");
    }

    @Test
    void aHoldThatEndsByItselfOrSaysInItsMessageWhatToDoIsShownAsItIs() {
        assertThat(Hold.untilChange(Reason.BEING_DISRUPTED, "it goes").advised())
                .isEqualTo("it goes");
        assertThat(Hold.untilChange(Reason.CLUSTER_UNHEALTHY, "repair these nodes")
                        .advised())
                .isEqualTo("repair these nodes");
    }
}
