package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests how often the engine plans, and how many violations at a time, if very many are due. */
class PlanningPaceTest {
    private static final OperatorLimits NONE = new OperatorLimits(1_000, 1_000, 1_000, 1_000, 1_000);

    private static PodTrait[] web(String name) {
        return new PodTrait[] {on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", name, "rs-" + name)};
    }

    /**
     * {@return a scenario with this number of pods on a node without the label that they need; their violations are due
     * now}
     */
    private static EngineScenario due(int pods) {
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"), allocatable(new Resources(0, 0, 0, 1_000, Map.of())));
        for (int i = 0; i < pods; i++) {
            facts.pod("web-" + i, web("web-" + i));
        }
        return EngineScenario.begin(EngineScenario.settings(NONE), facts, auditing())
                .afterSeconds(60);
    }

    private static long planned(EngineScenario engineScenario) {
        return engineScenario.told.stream()
                .filter(Notification.WouldEvict.class::isInstance)
                .count();
    }

    private static EngineScenario after(EngineScenario engineScenario, int millis) {
        return engineScenario.after(Duration.ofMillis(millis));
    }

    @Test
    void whatIsDueTogetherIsPlannedAtOnceAsLongAsItIsNotMuch() {
        assertThat(planned(due(20))).isEqualTo(20);
    }

    @Test
    void for270AuditedPodsPlacesAreLookedForTwentyAtATimeEverySecond() {
        EngineScenario engineScenario = due(270);
        assertThat(planned(engineScenario)).isEqualTo(20);

        assertThat(planned(after(engineScenario, 999))).isEqualTo(20);
        assertThat(planned(after(engineScenario, 1))).isEqualTo(40);
        assertThat(planned(after(engineScenario, 4_000))).isEqualTo(120);
    }

    @Test
    void whoWaitsForATurnIsHeldByThatAndCountedSo() {
        EngineScenario engineScenario = due(270).afterSeconds(1);

        PolicyReport report = engineScenario.report(auditing());
        assertThat(report.holds()).isEqualTo(Map.of(Reason.QUEUED, 230));
        assertThat(report.pods()).isEqualTo(new PolicyReport.Pods(270, 270, 270, 230));
    }

    @Test
    void among5000NodesOfWhichNoneTakesThemAPlaceIsLookedForFourAtATime() {
        ClusterBuilder facts = cluster();
        for (int i = 1; i <= 5_000; i++) {
            facts.node("n" + i, labels("disk", "hdd"));
        }
        for (int i = 0; i < 20; i++) {
            facts.pod("web-" + i, on("n1"), nodeSelector("disk", "ssd-" + i), ownedBy("ReplicaSet", "web", "rs-" + i));
        }
        EngineScenario engineScenario = EngineScenario.begin(EngineScenario.settings(NONE), facts, auditing())
                .afterSeconds(60);
        assertThat(held(engineScenario)).isEqualTo(4);

        assertThat(held(after(engineScenario, 1_000))).isEqualTo(8);
    }

    /**
     * {@return a scenario with this number of pods without a controller, whose violations are due now} Each violation
     * is held because no controller would replace the pod.
     */
    private static EngineScenario dueWithoutController(int pods) {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "hdd"));
        for (int i = 0; i < pods; i++) {
            facts.pod("bare-" + i, on("n1"), nodeSelector("disk", "ssd"));
        }
        return EngineScenario.begin(EngineScenario.settings(NONE), facts, auditing())
                .afterSeconds(60);
    }

    private static long held(EngineScenario engineScenario) {
        return engineScenario.told.stream()
                .filter(Notification.Held.class::isInstance)
                .map(told -> told.violation().pod())
                .distinct()
                .count();
    }

    @Test
    void ofMoreThan3000EachPlanLooksAtTheNext3000AndTheOthersWaitForTheirTurn() {
        EngineScenario engineScenario = dueWithoutController(6_100);
        assertThat(held(engineScenario)).isEqualTo(3_000);
        assertThat(after(engineScenario, 1_000).report(auditing()).holds())
                .isEqualTo(Map.of(Reason.NO_CONTROLLER, 3_000, Reason.QUEUED, 3_100));

        assertThat(held(after(engineScenario, 1_599))).isEqualTo(3_000);
        assertThat(held(after(engineScenario, 1))).isEqualTo(6_000);
        assertThat(held(after(engineScenario, 2_600))).isEqualTo(6_100);
    }

    @Test
    void turnsGoOnAfterOneThatIsGone() {
        EngineScenario engineScenario = dueWithoutController(3_002);
        assertThat(held(engineScenario)).isEqualTo(3_000);
        String last = engineScenario.told.stream()
                .filter(Notification.Held.class::isInstance)
                .map(told -> told.violation().key().podUid())
                .max(Comparator.naturalOrder())
                .orElseThrow();
        engineScenario.happens(podGone(last));

        assertThat(held(after(engineScenario, 2_600))).isEqualTo(3_002);
    }

    private static ClusterEvent late() {
        return podChanged(
                "late",
                labels("app", "late"),
                on("n1"),
                nodeSelector("disk", "ssd"),
                ownedBy("ReplicaSet", "late", "rs"));
    }

    private static Policy enforcingForLate() {
        return over(matchLabels("app", "late"), TestPolicies.enforcing("late", Duration.ofMinutes(1)));
    }

    @Test
    void whereLittleIsDueADeadlineIsKeptToTheMomentWheneverWasPlannedBefore() {
        EngineScenario engineScenario =
                due(5).event(new Event.PolicyChanged(enforcingForLate())).happens(late());

        after(engineScenario, 59_900).happens(podChanged("other", on("n1")));
        assertThat(after(engineScenario, 99).evicted()).isEmpty();
        assertThat(after(engineScenario, 1).evicted()).containsExactly("late");
    }

    @Test
    void whereMuchIsDueADeadlineWaitsUntilTheLastPlanIs200MsOld() {
        EngineScenario engineScenario =
                due(600).event(new Event.PolicyChanged(enforcingForLate())).happens(late());

        after(engineScenario, 59_900).happens(podChanged("other", on("n1")));
        assertThat(after(engineScenario, 199).evicted()).isEmpty();
        assertThat(after(engineScenario, 1).evicted()).containsExactly("late");
    }
}
