package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.edited;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.inNamespaces;
import static dev.holdfast.policies.engine.TestPolicies.onNodes;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetChangedIn;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.Facts;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests that whatever newly brings many violating pods under enforcement waits for a person, not only an edit of a
 * policy. In each scenario pods web-1, web-2 and so on, each of its own workload, violate their rule from the start.
 * The node {@code spare} has room for all.
 */
class WideningTest {
    static final EngineSettings SETTINGS = EngineScenario.settings().withLedger();

    static ClusterBuilder broken(int pods) {
        ClusterBuilder facts = cluster()
                .namespace(Facts.NAMESPACE, labels())
                .node("n1", labels("disk", "hdd"))
                .node("spare", labels("disk", "ssd"));
        for (int i = 1; i <= pods; i++) {
            facts.replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n1"), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        return facts;
    }

    static EngineScenario begin(EngineSettings settings, int pods, Policy... policies) {
        return EngineScenario.begin(settings, broken(pods), policies).replacingOn("spare");
    }

    static EngineScenario restarted(EngineScenario before) {
        return before.restarted(SETTINGS).replacingOn("spare");
    }

    static Event capped(Mode ceiling) {
        return new Event.ModeCapped(ceiling, "maxMode is " + ceiling);
    }

    static void acknowledge(EngineScenario engineScenario, Policy policy) {
        engineScenario.event(new Event.PolicyAcknowledged(
                policy.id(), Set.of(engineScenario.backlogs.getLast().id())));
    }

    /** Asserts that the policy waits for the cause, and that the pods move once a person has acknowledged it. */
    static void assertWaits(EngineScenario engineScenario, Policy policy, String since, int pods) {
        engineScenario.afterSeconds(600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.POLICY_BACKLOG);
        assertThat(engineScenario.backlogs)
                .extracting(BacklogReport::change)
                .containsExactly(BrakeReport.Change.OPENED);
        assertThat(engineScenario.backlogs.getLast().message())
                .startsWith("since " + since + ", the policy would move " + pods + " of its ");
        assertThat(engineScenario.report(policy).backlog())
                .contains(engineScenario.backlogs.getLast().message());
        acknowledge(engineScenario, policy);
        assertThat(engineScenario.afterSeconds(120).evicted()).isNotEmpty();
    }

    static void assertMoves(EngineScenario engineScenario) {
        assertThat(engineScenario.afterSeconds(600).evicted()).isNotEmpty();
        assertThat(engineScenario.backlogs).isEmpty();
    }

    static final String BEGAN = "the operator began to enforce";

    @Test
    void aFirstStartWithAnEmptyLedgerWaits() {
        assertWaits(begin(SETTINGS, 40, enforcing()), enforcing(), BEGAN, 40);
    }

    @Test
    void aFirstStartOverTenViolatingPodsDoesNotWait() {
        assertMoves(begin(SETTINGS, 10, enforcing()));
    }

    @Test
    void aRestartWithAGoodLedgerAsksNothing() {
        EngineScenario before = begin(SETTINGS, 40, enforcing()).afterSeconds(20);
        acknowledge(before, enforcing());

        assertMoves(restarted(before.afterSeconds(20)));
    }

    @Test
    void anOperatorWithoutALedgerWaitsAtItsStart() {
        EngineScenario engineScenario = begin(SETTINGS, 0).afterSeconds(20);
        EngineScenario before = engineScenario;
        broken(11).facts().forEach(before::happensUnseen);
        before.knowing(new Event.PolicyChanged(enforcing()));
        before.stored = Optional.of(new LedgerReading.NoMemory("no right to create configmaps"));

        assertWaits(restarted(before), enforcing(), BEGAN, 11);
    }

    @Test
    void maxModeThatIsRaisedAtARestartWaits() {
        EngineScenario before = begin(SETTINGS, 10, enforcing()).afterSeconds(1);
        EngineScenario audits = before.restartedToAudit(SETTINGS);
        broken(15).facts().forEach(audits::happens);

        EngineScenario after = restarted(audits.after(Duration.ofMinutes(10)));

        assertWaits(after, enforcing(), BEGAN, 15);
    }

    @Test
    void theRightToEvictThatIsGivenWhileTheOperatorRunsWaits() {
        EngineScenario engineScenario = begin(SETTINGS, 10, enforcing()).afterSeconds(1);
        engineScenario.event(capped(Mode.AUDIT));
        broken(15).facts().forEach(engineScenario::happens);

        engineScenario.after(Duration.ofMinutes(10)).event(capped(Mode.ENFORCE));

        assertWaits(engineScenario, enforcing(), BEGAN, 15);
    }

    /** A right that is missing for a moment lowers the ceiling until the next check of the rights. */
    @Test
    void enforcementThatIsOffForAFewMinutesDoesNotWait() {
        EngineScenario engineScenario = begin(SETTINGS, 10, enforcing()).afterSeconds(1);
        engineScenario.event(capped(Mode.AUDIT));
        broken(15).facts().forEach(engineScenario::happens);

        engineScenario.afterSeconds(299).event(capped(Mode.ENFORCE));

        assertMoves(engineScenario);
    }

    @Test
    void aPolicyThatIsMadeWhileNoOperatorRanWaits() {
        EngineScenario before =
                begin(SETTINGS, 11, enforcing("other", Duration.ofDays(99))).afterSeconds(20);
        acknowledge(before, enforcing("other", Duration.ofDays(99)));
        before.afterSeconds(20).knowing(new Event.PolicyChanged(enforcing()));

        assertWaits(restarted(before), enforcing(), "it was created", 11);
    }

    private static Policy inTeam() {
        return inNamespaces(matchLabels("team", "shop"), everywhere(enforcing()));
    }

    @Test
    void aLabelOfANamespaceThatBringsItsPodsUnderAPolicyWaits() {
        EngineScenario engineScenario =
                begin(EngineScenario.settings(), 30, inTeam()).after(Duration.ofMinutes(10));

        engineScenario.happens(namespaceChanged(Facts.NAMESPACE, labels("team", "shop")));

        assertWaits(
                engineScenario, inTeam(), "label team of namespace " + Facts.NAMESPACE + " was added as 'shop'", 30);
    }

    /** The pods violate the rule already, and an auditing policy shows it. */
    @Test
    void aLabelOfANamespaceThatTurnsAnAuditIntoEnforcementWaits() {
        EngineScenario engineScenario = begin(EngineScenario.settings(), 30, inTeam(), auditing("audit"))
                .after(Duration.ofMinutes(10));

        engineScenario.happens(namespaceChanged(Facts.NAMESPACE, labels("team", "shop")));

        assertWaits(
                engineScenario, inTeam(), "label team of namespace " + Facts.NAMESPACE + " was added as 'shop'", 30);
    }

    private static Policy auditing(String name) {
        return TestPolicies.policy(
                name, Mode.AUDIT, TestPolicies.FORGIVENESS, dev.holdfast.policies.rule.WhenInfeasible.WAIT);
    }

    @Test
    void aNamespaceWhosePodsAreKnownBeforeItsObjectDoesNotWait() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster().node("n1", labels("disk", "hdd")).node("spare", labels("disk", "ssd")), inTeam())
                .replacingOn("spare");
        broken(11).facts().stream()
                .filter(fact -> !(fact instanceof dev.holdfast.policies.model.ClusterEvent.OfNamespace))
                .forEach(engineScenario::happens);
        engineScenario.happens(namespaceChanged(Facts.NAMESPACE, labels("team", "shop")));

        assertMoves(engineScenario);
    }

    static Policy overFront() {
        return over(matchLabels("tier", "front"), enforcing());
    }

    static void label(EngineScenario engineScenario, int pod) {
        engineScenario.happens(podChanged(
                "web-" + pod, on("n1"), replicaOf("web-" + pod), labels("tier", "front"), nodeSelector("disk", "ssd")));
    }

    @Test
    void labelsOfPodsThatAPolicySelectsWait() {
        EngineScenario engineScenario =
                begin(EngineScenario.settings(), 11, overFront()).after(Duration.ofMinutes(10));

        for (int i = 1; i <= 11; i++) {
            label(engineScenario, i);
        }

        assertWaits(engineScenario, overFront(), "label tier of the pod was added as 'front'", 11);
    }

    /** Each pod moves before the next one gets the label. */
    @Test
    void labelsOfPodsThatComeOneByOneAreCountedForAnHour() {
        EngineScenario engineScenario =
                begin(EngineScenario.settings(), 20, overFront()).after(Duration.ofMinutes(10));

        for (int i = 1; i <= 20; i++) {
            label(engineScenario, i);
            engineScenario.afterSeconds(170);
        }

        assertThat(engineScenario.evicted()).hasSize(10);
        assertThat(engineScenario.held()).isEqualTo(Reason.POLICY_BACKLOG);
        assertThat(engineScenario.backlogs.getFirst().message())
                .startsWith("since label tier of the pod was added as 'front', the policy would move 1 of its 11 pods"
                        + " beside 10 within an hour, more than 10: ");
    }

    @Test
    void theBacklogOfPodsThatMovedEndsAnHourAfterTheyCame() {
        EngineScenario engineScenario =
                begin(EngineScenario.settings(), 11, overFront()).after(Duration.ofMinutes(10));
        for (int i = 1; i <= 11; i++) {
            label(engineScenario, i);
            engineScenario.afterSeconds(170);
        }
        assertThat(engineScenario.evicted()).hasSize(10);

        for (int i = 1; i <= 60; i++) {
            engineScenario.afterSeconds(60).happens(nodeChanged("other", labels("minute", "m" + i)));
        }

        assertThat(engineScenario.evicted()).hasSize(11);
        assertThat(engineScenario.backlogs)
                .extracting(BacklogReport::change)
                .containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.HEALED);
    }

    @Test
    void labelsOfPodsThatComeOneInSevenMinutesDoNotWait() {
        EngineScenario engineScenario =
                begin(EngineScenario.settings(), 20, overFront()).after(Duration.ofMinutes(10));

        for (int i = 1; i <= 20; i++) {
            label(engineScenario, i);
            engineScenario.afterSeconds(420);
        }

        assertThat(engineScenario.evicted()).hasSize(20);
        assertThat(engineScenario.backlogs).isEmpty();
    }

    @Test
    void newPodsThatViolateTheRuleFromTheirBindingDoNotWait() {
        EngineScenario engineScenario = begin(EngineScenario.settings(), 0, enforcing());

        broken(12).facts().forEach(engineScenario::happens);

        assertMoves(engineScenario);
    }

    @Test
    void aLabelOfANodeThatAPolicySelectsWaits() {
        Policy onPool = onNodes(matchLabels("pool", "general"), enforcing());
        EngineScenario engineScenario =
                begin(EngineScenario.settings(), 12, onPool).after(Duration.ofMinutes(10));

        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd", "pool", "general")));

        assertWaits(engineScenario, onPool, "label pool of node n1 was added as 'general'", 12);
    }

    @Test
    void laterPodsJoinABacklogUnderItsIdUntilTheyAreManyThemselves() {
        EngineScenario engineScenario =
                begin(EngineScenario.settings(), 40, overFront()).after(Duration.ofMinutes(10));
        for (int i = 1; i <= 21; i++) {
            label(engineScenario, i);
        }
        String first = engineScenario.afterSeconds(5).backlogs.getLast().id();
        assertThat(engineScenario.backlogs).hasSize(1);

        for (int i = 22; i <= 40; i++) {
            label(engineScenario, i);
        }

        engineScenario.afterSeconds(70);
        assertThat(engineScenario.backlogs.getLast().id()).isNotEqualTo(first);
        assertThat(engineScenario.evicted()).isEmpty();
    }

    @Test
    void anEditAndItsAcknowledgementAreAsBefore() {
        EngineScenario engineScenario = begin(EngineScenario.settings(), 11, TestPolicies.auditing())
                .afterSeconds(600)
                .event(new Event.PolicyChanged(edited(enforcing())));

        assertWaits(engineScenario, enforcing(), "it was edited, generation 2", 11);
        assertThat(engineScenario.backlogs.getLast().message())
                .isEqualTo("a user acknowledged that since it was edited, generation 2, the policy moves 11 of its 11"
                        + " pods: they are evicted when they are due and the limits allow");
    }

    static EngineScenario paused(int pods, Event.PauseChanged pause) {
        return paused(EngineScenario.settings(), pods, pause).after(Duration.ofDays(30));
    }

    static EngineScenario paused(EngineSettings settings, int pods, Event.PauseChanged pause) {
        EngineScenario engineScenario = EngineScenario.begin(
                        settings,
                        cluster()
                                .namespace(Facts.NAMESPACE, labels())
                                .node("n1", labels("disk", "hdd"))
                                .node("spare", labels("disk", "ssd")),
                        enforcing())
                .replacingOn("spare")
                .event(pause);
        broken(pods).facts().forEach(engineScenario::happens);
        return engineScenario;
    }

    static Event.PauseChanged pause(List<MaintenanceWindow> windows, Optional<Instant> until) {
        return new Event.PauseChanged(new Pause("freeze", "the month ends", Optional.empty(), windows, until));
    }

    static String ended(String howLong) {
        return "a pause ended (EnforcementPause freeze: the month ends; " + howLong + ")";
    }

    @Test
    void aPauseThatIsDeletedAfterAMonthWaits() {
        EngineScenario engineScenario =
                paused(11, pause(List.of(), Optional.empty())).event(new Event.PauseRemoved("freeze"));

        assertWaits(engineScenario, enforcing(), ended("until it is deleted"), 11);
    }

    @Test
    void aPauseThatEndsByItselfWaits() {
        Instant end = EngineScenario.START.plus(Duration.ofDays(30)).plusSeconds(60);

        assertWaits(
                paused(11, pause(List.of(), Optional.of(end))), enforcing(), ended("until " + Hold.second(end)), 11);
    }

    @Test
    void aPauseOverTenViolatingPodsEndsWithoutAQuestion() {
        assertMoves(paused(10, pause(List.of(), Optional.empty())).event(new Event.PauseRemoved("freeze")));
    }

    /** {@return a window that opens when the scenarios start, for an hour} */
    static MaintenanceWindow noon() {
        return new MaintenanceWindow(
                "noon", MaintenanceWindow.Action.DENY, atNoon(), Duration.ofHours(1), ZoneOffset.UTC);
    }

    static Event.PauseChanged daily() {
        return new Event.PauseChanged(
                new Pause("daily", "noon is busy", Optional.empty(), List.of(noon()), Optional.empty()));
    }

    private static CronSchedule atNoon() {
        return switch (CronSchedule.of("0 12 * * *")) {
            case ParseResult.Usable<CronSchedule>(CronSchedule schedule) -> schedule;
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new AssertionError(why);
        };
    }

    @Test
    void aWindowOfAPauseThatClosesEachDayDoesNotWait() {

        assertMoves(paused(40, pause(List.of(noon()), Optional.empty())).after(Duration.ofHours(1)));
    }

    @Test
    void aPauseThatIsDeletedWaitsAlsoWhereAnotherOneHasWindows() {
        EngineScenario engineScenario = paused(11, pause(List.of(), Optional.empty()))
                .event(daily())
                .after(Duration.ofHours(2))
                .event(new Event.PauseRemoved("freeze"));

        assertWaits(engineScenario, enforcing(), ended("until it is deleted"), 11);
    }

    /** {@return a scenario in which an exception of the policy names all violating pods until an instant} */
    static EngineScenario excepted(EngineSettings settings, int pods, Instant end) {
        DisruptionControls excepting = ControlsDraft.plain()
                .exceptions(List.of(new DisruptionControls.StandingException(
                        "legacy", matcher(LabelSelector.everything()), Optional.of(end), "it moves later")))
                .controls();
        EngineScenario engineScenario = EngineScenario.begin(
                        settings, cluster().node("n1", labels("disk", "hdd")).node("spare", labels("disk", "ssd")))
                .replacingOn("spare")
                .event(new Event.PolicyChanged(enforcing(), excepting));
        broken(pods).facts().forEach(engineScenario::happens);
        return engineScenario;
    }

    @Test
    void anExceptionThatEndsWaits() {
        Instant end = EngineScenario.START.plus(Duration.ofHours(1));
        EngineScenario engineScenario = excepted(EngineScenario.settings(), 11, end);

        assertWaits(
                engineScenario.after(Duration.ofHours(1)),
                enforcing(),
                "an exception ended (exception 'legacy' of the policy named it until " + Hold.second(end)
                        + ": it moves later)",
                11);
    }

    /** A tenant relabels pods of its own, so that they come under the policy of all. */
    @Test
    void podsThatALabelBroughtHoldThoseOfTheirNamespaceAlone() {
        Policy ofAll = over(matchLabels("tier", "front"), everywhere(enforcing()));
        EngineScenario engineScenario =
                begin(EngineScenario.settings(), 11, ofAll).after(Duration.ofMinutes(10));
        for (int i = 1; i <= 11; i++) {
            label(engineScenario, i);
        }

        engineScenario.afterSeconds(70);
        for (String namespace : List.of(Facts.NAMESPACE, "bank")) {
            create(engineScenario, namespace, "new-in-" + namespace);
        }

        assertThat(engineScenario.afterSeconds(600).evicted()).containsExactly("new-in-bank");
        assertThat(engineScenario.backlogs.getFirst().message())
                .contains(": none of these pods is evicted for it until");
    }

    /** It fitted its node until the label of the node changed, which breakers count. */
    @Test
    void anOldPodOfTheirNamespaceThatBreaksItsRuleLaterDoesNotJoin() {
        ClusterBuilder facts = broken(11)
                .node("n2", labels("disk", "ssd"))
                .replicaSet("old", 1)
                .pod("old", on("n2"), replicaOf("old"), labels("tier", "front"), nodeSelector("disk", "ssd"))
                .pod("newest", on("n2"), created(EngineScenario.START));
        EngineScenario engineScenario =
                EngineScenario.begin(facts, overFront()).replacingOn("spare").after(Duration.ofMinutes(10));
        for (int i = 1; i <= 11; i++) {
            label(engineScenario, i);
        }

        engineScenario.afterSeconds(70).happens(nodeChanged("n2", labels("disk", "hdd")));

        assertThat(engineScenario.afterSeconds(600).evicted()).containsExactly("old");
    }

    static void create(EngineScenario engineScenario, String namespace, String name) {
        engineScenario
                .happens(replicaSetChangedIn(namespace, name))
                .happens(podChanged(
                        name,
                        in(namespace),
                        on("n1"),
                        replicaOf(name),
                        created(engineScenario.now),
                        labels("tier", "front"),
                        nodeSelector("disk", "ssd")));
    }

    @Test
    void anOperatorThatBeginsToEnforceHoldsAllAlsoWhereALabelBroughtSome() {
        Policy ofAll = over(matchLabels("tier", "front"), everywhere(enforcing()));
        EngineScenario engineScenario = begin(SETTINGS, 11, ofAll).after(Duration.ofMinutes(10));
        for (int i = 1; i <= 11; i++) {
            label(engineScenario, i);
        }
        engineScenario.event(capped(Mode.AUDIT));
        create(engineScenario, "bank", "vault");

        engineScenario.after(Duration.ofMinutes(10)).event(capped(Mode.ENFORCE));

        assertThat(engineScenario.afterSeconds(600).evicted()).isEmpty();
        assertThat(engineScenario.backlogs.getLast().message())
                .startsWith("since " + BEGAN
                        + ", the policy would move 12 of its 12 pods, more than 10: no pod is evicted");
    }

    /** Another policy enforces the same rule, so the violations go on. */
    @Test
    void aBacklogEndsWhenItsPolicyEnforcesNothingOfItAnyMore() {
        EngineScenario engineScenario = begin(
                        EngineScenario.settings(), 11, overFront(), enforcing("other", Duration.ofDays(99)))
                .after(Duration.ofMinutes(10));
        for (int i = 1; i <= 11; i++) {
            label(engineScenario, i);
        }

        engineScenario.happens(podChanged("web-1", on("n1"), replicaOf("web-1"), nodeSelector("disk", "ssd")));
        engineScenario.afterSeconds(5);

        assertThat(engineScenario.backlogs)
                .extracting(BacklogReport::change)
                .containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.HEALED);
    }
}
