package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.policies.engine.protocol.BrakeId;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests backlogs: a user must acknowledge an edit of a policy that would move very many pods. In each scenario pods
 * web-1, web-2 and so on, each of its own workload, violate the rule from the start. Other pods do not. The node {@code
 * spare} has room for all.
 */
class BacklogTest {
    private static ClusterBuilder facts(int broken, int others) {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "hdd")).node("spare", labels("disk", "ssd"));
        for (int i = 1; i <= broken; i++) {
            String tier = i <= 11 ? "front" : "back";
            facts.replicaSet("web-" + i, 1)
                    .pod(
                            "web-" + i,
                            on("n1"),
                            replicaOf("web-" + i),
                            labels("tier", tier),
                            nodeSelector("disk", "ssd"));
        }
        IntStream.rangeClosed(1, others).forEach(i -> facts.pod("other-" + i, on("n1")));
        return facts;
    }

    private static EngineScenario begin(int broken, int others, Policy... policies) {
        return EngineScenario.begin(facts(broken, others), policies).replacingOn("spare");
    }

    private static Event made(Policy policy) {
        return new Event.PolicyChanged(policy);
    }

    private static EngineScenario acknowledged(EngineScenario engineScenario, String id) {
        return engineScenario.event(new Event.PolicyAcknowledged(enforcing().id(), Set.of(id)));
    }

    /** {@return the backlog id in the message of the last hold} */
    private static String id(EngineScenario engineScenario) {
        String message = engineScenario.heldBecause();
        return message.substring(message.lastIndexOf('=') + 1);
    }

    private static List<BrakeReport.Change> turns(EngineScenario engineScenario) {
        return engineScenario.backlogs.stream().map(BacklogReport::change).toList();
    }

    @Test
    void itIsToldOnceAndAtTheEditAndNotOnlyWhenThePodsAreDue() {
        EngineScenario engineScenario =
                begin(11, 9, auditing()).afterSeconds(600).event(made(enforcing()));

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.held()).isNotEqualTo(Reason.POLICY_BACKLOG);
        assertThat(engineScenario.backlogs)
                .extracting(BacklogReport::policy, BacklogReport::change)
                .containsExactly(tuple(enforcing().id(), BrakeReport.Change.OPENED));
        BacklogReport told = engineScenario.backlogs.getFirst();
        engineScenario.after(Duration.ofDays(1));
        assertThat(engineScenario.backlogs).containsExactly(told);
        assertThat(told.message()).isEqualTo(engineScenario.heldBecause()).endsWith(told.id());
        assertThat(engineScenario.report(enforcing()).backlog()).contains(told.message());
    }

    @Test
    void thatItIsAcknowledgedIsToldOnceToo() {
        EngineScenario engineScenario =
                begin(11, 9, auditing()).event(made(enforcing())).afterSeconds(600);

        acknowledged(engineScenario, id(engineScenario)).afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.ACKNOWLEDGED);
        assertThat(engineScenario.backlogs.getLast().message())
                .isEqualTo("a user acknowledged that since it was created, the policy moves 11 of its 20 pods: they"
                        + " are evicted when they are due and the limits allow");
        assertThat(engineScenario.report(enforcing()).backlog()).isEmpty();
    }

    @Test
    void thatFewAreLeftIsToldOnceToo() {
        EngineScenario engineScenario =
                begin(12, 0, auditing()).event(made(enforcing())).afterSeconds(600);

        engineScenario.happens(podGone("web-12")).happens(podGone("web-11")).afterSeconds(600);

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.HEALED);
        assertThat(engineScenario.backlogs.getLast().message())
                .isEqualTo("of the pods that the policy would move since it was created, at most 10 are left:"
                        + " no acknowledgement is needed any more");
    }

    @Test
    void thatThePolicyAuditsAgainIsToldAsTheEndOfIt() {
        EngineScenario engineScenario =
                begin(11, 0, auditing()).event(made(enforcing())).afterSeconds(600);

        engineScenario.event(made(auditing())).afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.HEALED);
    }

    @Test
    void anEditThatAddsIsToldWithItsOwnIdAndOneThatAddsNothingIsNot() {
        EngineScenario engineScenario = begin(15, 0, auditing())
                .event(made(over(matchLabels("tier", "front"), enforcing())))
                .afterSeconds(10);
        engineScenario
                .event(made(over(LabelSelector.everything(), enforcing())))
                .afterSeconds(10);
        engineScenario
                .event(made(over(LabelSelector.everything(), TestPolicies.edited(enforcing()))))
                .afterSeconds(10);

        assertThat(turns(engineScenario)).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.OPENED);
        assertThat(engineScenario.backlogs).extracting(BacklogReport::id).doesNotHaveDuplicates();
    }

    @Test
    void afterGenerationsThatTheEngineDidNotGetAllPodsOfThePolicyCountAsAdded() {
        EngineScenario engineScenario =
                begin(11, 9, enforcing()).event(new Event.PolicyChanged(TestPolicies.edited(enforcing())).skipping());

        engineScenario.after(Duration.ofDays(1));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.POLICY_BACKLOG);
    }

    @Test
    void auditTurnedToEnforceOverElevenBrokenPodsMovesNoPodAndSaysHowManyAndHowToGoOn() {
        EngineScenario engineScenario =
                begin(11, 9, auditing()).afterSeconds(600).event(made(TestPolicies.edited(enforcing())));

        engineScenario.after(Duration.ofDays(1));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.POLICY_BACKLOG);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("since it was edited, generation 2, the policy would move 11 of its 20 pods, more than"
                        + " 10: no pod is evicted for it until you acknowledge that this is intended: kubectl annotate"
                        + " placementpolicy -n shop web --overwrite holdfast.dev/acknowledge=" + id(engineScenario));
        assertThat(id(engineScenario)).startsWith("backlog@");
        assertThat(engineScenario.report(enforcing()).holds()).containsEntry(Reason.POLICY_BACKLOG, 11);
    }

    @Test
    void aPolicyThatWasJustMadeIsNotSaidToHaveBeenEdited() {
        EngineScenario engineScenario =
                begin(11, 9).afterSeconds(600).event(made(enforcing())).after(Duration.ofDays(1));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.heldBecause())
                .startsWith("since it was created, the policy would move 11 of its 20 pods, more than 10: ");
    }

    @Test
    void podsThatAreRolledOneByOneAreAskedAboutAsThoseBeforeThemWere() {
        EngineScenario engineScenario =
                begin(11, 9, auditing()).afterSeconds(600).event(made(enforcing()));
        for (int i = 1; i <= 11; i++) {
            engineScenario
                    .happens(podChanged(
                            "new-" + i,
                            on("n1"),
                            replicaOf("web-" + i),
                            labels("tier", "front"),
                            nodeSelector("disk", "ssd")))
                    .happens(podGone("web-" + i))
                    .afterSeconds(60);
        }

        engineScenario.after(Duration.ofDays(1));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.report(enforcing()).holds()).containsEntry(Reason.POLICY_BACKLOG, 11);
    }

    @Test
    void withoutTheQuestionTheyWouldBeMoved() {
        EngineScenario engineScenario = EngineScenario.begin(
                        EngineScenario.settingsWithout(Set.of(Reason.POLICY_BACKLOG)), facts(11, 9), auditing())
                .replacingOn("spare");

        engineScenario.event(made(enforcing())).afterSeconds(120);

        assertThat(engineScenario.evicted()).hasSize(11);
    }

    @Test
    void tenBrokenPodsAreFew() {
        EngineScenario engineScenario =
                begin(10, 9, auditing()).event(made(enforcing())).afterSeconds(120);

        assertThat(engineScenario.evicted()).hasSize(10);
    }

    @Test
    void ofTwelveHundredPodsTwelveAreFewAndThirteenAreNot() {
        assertThat(begin(12, 1_188, auditing())
                        .event(made(enforcing()))
                        .afterSeconds(120)
                        .evicted())
                .hasSize(12);
        assertThat(begin(13, 1_187, auditing())
                        .event(made(enforcing()))
                        .afterSeconds(120)
                        .evicted())
                .isEmpty();
    }

    @Test
    void aPolicyThatIsMadeWithSuchABacklogIsAnEditToo() {
        EngineScenario engineScenario =
                begin(11, 0).event(made(everywhere(enforcing()))).afterSeconds(600);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.POLICY_BACKLOG);
        assertThat(engineScenario.heldBecause()).contains("kubectl annotate clusterplacementpolicy web --overwrite ");
    }

    @Test
    void whatWasFoundAtTheOperatorsStartGoesAtThePaceOfTheLimits() {
        assertThat(begin(11, 0, enforcing()).afterSeconds(120).evicted()).hasSize(11);
    }

    @Test
    void whatBreaksByItselfAfterAnEditIsNoBacklog() {
        EngineScenario engineScenario = begin(0, 9, auditing()).event(made(enforcing()));
        facts(11, 0).facts().forEach(engineScenario::happens);

        assertThat(engineScenario.afterSeconds(600).holds()).doesNotContain(Reason.POLICY_BACKLOG);
    }

    @Test
    void anAuditOfVeryManyNeedsNobodysWord() {
        EngineScenario engineScenario = begin(11, 0).event(made(auditing())).afterSeconds(600);

        assertThat(engineScenario.holds()).doesNotContain(Reason.POLICY_BACKLOG);
    }

    @Test
    void acknowledgedTheyGoAtThePaceOfTheLimits() {
        EngineScenario engineScenario =
                begin(11, 0, auditing()).event(made(enforcing())).afterSeconds(600);

        acknowledged(engineScenario, id(engineScenario));

        assertThat(engineScenario.afterSeconds(120).evicted()).hasSize(11);
    }

    @Test
    void acknowledgedEarlyNoPodGoesBeforeOneFullForgivenessFromTheEdit() {
        EngineScenario engineScenario =
                begin(11, 0, auditing()).afterSeconds(600).event(made(enforcing()));
        String id = BrakeId.of("backlog", engineScenario.now);

        assertThat(acknowledged(engineScenario.afterSeconds(10), id)
                        .afterSeconds(49)
                        .evicted())
                .isEmpty();
        assertThat(engineScenario.afterSeconds(1).evicted()).isNotEmpty();
    }

    @Test
    void anotherIdChangesNothingAndIsAnsweredOnceWithTheOneThatThereIs() {
        EngineScenario engineScenario =
                begin(11, 0, auditing()).event(made(enforcing())).afterSeconds(600);

        assertThat(acknowledged(engineScenario, "backlog@1").afterSeconds(600).evicted())
                .isEmpty();
        assertThat(acknowledged(engineScenario, "backlog@1").afterSeconds(600).unknown)
                .containsExactly(new UnknownAcknowledgement(
                        Optional.of(enforcing().id()),
                        "nothing is held under backlog@1, which was acknowledged; open now: " + id(engineScenario)));
    }

    @Test
    void ofSeveralIdsTheOneThatThereIsCountsAndTheOthersAreAnswered() {
        EngineScenario engineScenario =
                begin(11, 0, auditing()).event(made(enforcing())).afterSeconds(600);
        Set<String> ids = Set.of("backlog@2", id(engineScenario), "backlog@1");

        engineScenario
                .event(new Event.PolicyAcknowledged(enforcing().id(), ids))
                .afterSeconds(120);

        assertThat(engineScenario.evicted()).hasSize(11);
        assertThat(engineScenario.unknown)
                .extracting(UnknownAcknowledgement::message)
                .containsExactly(
                        "nothing is held under backlog@1, backlog@2, which was acknowledged; open now: nothing");
    }

    @Test
    void anIdThatWasAcknowledgedStaysAcknowledgedWhenAnotherOneComes() {
        EngineScenario engineScenario =
                begin(11, 0, auditing()).event(made(enforcing())).afterSeconds(600);
        String id = id(engineScenario);
        acknowledged(engineScenario, id).afterSeconds(60);

        engineScenario
                .event(new Event.PolicyAcknowledged(enforcing().id(), Set.of(id, "backlog@1")))
                .afterSeconds(60);

        assertThat(engineScenario.unknown)
                .extracting(UnknownAcknowledgement::message)
                .containsExactly("nothing is held under backlog@1, which was acknowledged; open now: nothing");
    }

    @Test
    void aStandbyWhoseIdsAreOthersAnswersNoUser() {
        EngineScenario engineScenario =
                begin(11, 0, auditing()).event(made(enforcing())).afterSeconds(600);

        acknowledged(
                        engineScenario.event(new Event.LeadershipLost("another one leads", EngineScenario.START)),
                        "backlog@1")
                .afterSeconds(60);

        assertThat(engineScenario.unknown).isEmpty();
    }

    @Test
    void aSecondEditThatAddsHasAnotherIdAndCountsWhatIsNotAcknowledgedYet() {
        EngineScenario engineScenario = begin(15, 0, auditing())
                .event(made(over(matchLabels("tier", "front"), enforcing())))
                .afterSeconds(600);
        String first = id(engineScenario);
        engineScenario
                .event(made(over(LabelSelector.everything(), enforcing())))
                .afterSeconds(600);

        acknowledged(engineScenario, first).afterSeconds(600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario
                        .report(enforcing())
                        .oldest()
                        .getFirst()
                        .hold()
                        .orElseThrow()
                        .message())
                .contains("would move 15 of its 15 pods")
                .doesNotContain(first);
    }

    @Test
    void anEditThatAddsNothingLeavesTheIdAsItIs() {
        EngineScenario engineScenario =
                begin(11, 0, auditing()).event(made(enforcing())).afterSeconds(600);
        String id = id(engineScenario);

        engineScenario.event(made(TestPolicies.edited(enforcing()))).afterSeconds(600);

        assertThat(acknowledged(engineScenario, id).afterSeconds(120).evicted()).hasSize(11);
    }

    @Test
    void onceAcknowledgedAnEditThatAddsAFewIsNotAskedAbout() {
        EngineScenario engineScenario = begin(15, 0, auditing())
                .event(made(over(matchLabels("tier", "front"), enforcing())))
                .afterSeconds(60);
        acknowledged(engineScenario, id(engineScenario));

        engineScenario
                .event(made(over(LabelSelector.everything(), enforcing())))
                .afterSeconds(600);

        assertThat(engineScenario.evicted()).hasSize(15);
    }

    @Test
    void backToAuditItIsOverAndEnforcedOnceMoreItIsAskedAgain() {
        EngineScenario engineScenario =
                begin(11, 0, auditing()).event(made(enforcing())).afterSeconds(600);
        String first = id(engineScenario);
        engineScenario.event(made(auditing())).afterSeconds(10);
        assertThat(engineScenario.told.getLast()).isInstanceOf(Notification.WouldEvict.class);

        engineScenario.event(made(enforcing())).afterSeconds(600);

        assertThat(acknowledged(engineScenario, first).afterSeconds(600).evicted())
                .isEmpty();
        assertThat(acknowledged(engineScenario, id(engineScenario))
                        .afterSeconds(600)
                        .evicted())
                .hasSize(11);
    }

    @Test
    void whenFewOfThemAreLeftNoUserNeedsToSaySo() {
        EngineScenario engineScenario =
                begin(12, 0, auditing()).event(made(enforcing())).afterSeconds(600);

        engineScenario.happens(podGone("web-12")).afterSeconds(600);
        assertThat(engineScenario.reads).isEmpty();
        engineScenario.happens(podGone("web-11")).afterSeconds(600);

        assertThat(engineScenario.evicted()).hasSize(10);
    }

    @Test
    void conductThatLetsMoreBeMovedThanBeforeIsSuchAnEdit() {
        DisruptionControls keeping = keeping(1);
        EngineScenario engineScenario = EngineScenario.begin(facts(11, 0)).replacingOn("spare");
        engineScenario
                .event(new Event.PolicyChanged(auditing(), keeping))
                .event(new Event.PolicyChanged(enforcing(), keeping));
        String first = BrakeId.of("backlog", engineScenario.now);
        acknowledged(engineScenario, first).afterSeconds(600);
        assertThat(engineScenario.held()).isEqualTo(Reason.TOO_FEW_REPLICAS);

        engineScenario
                .event(new Event.PolicyChanged(TestPolicies.edited(enforcing()), keeping(0)))
                .afterSeconds(600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.POLICY_BACKLOG);
    }

    private static DisruptionControls keeping(int replicas) {
        return ControlsDraft.plain().minReplicas(replicas).controls();
    }

    @Test
    void whatAnotherPolicyEnforcesAlreadyGoesOnForThatOne() {
        Policy other = enforcing("other", FORGIVENESS);
        EngineScenario engineScenario =
                begin(11, 0, other).event(made(enforcing())).afterSeconds(120);

        assertThat(engineScenario.evicted()).hasSize(11);
    }

    @Test
    void theBacklogOfOnePolicyDoesNotHoldAnother() {
        Policy front = over(matchLabels("tier", "front"), enforcing("front", FORGIVENESS));
        Policy back = over(matchLabels("tier", "back"), enforcing("back", FORGIVENESS));
        EngineScenario engineScenario = begin(15, 0, back).event(made(front)).afterSeconds(120);

        assertThat(engineScenario.evicted()).hasSize(4);
        assertThat(engineScenario.report(front).holds()).isEqualTo(Map.of(Reason.POLICY_BACKLOG, 11));
    }

    @Test
    void aPolicyThatIsGoneIsForgotten() {
        EngineScenario engineScenario =
                begin(11, 0, auditing()).event(made(enforcing())).afterSeconds(600);

        engineScenario.event(new Event.PolicyRemoved(enforcing().id()));

        assertThat(engineScenario.engine.remembered()).isZero();
    }
}
