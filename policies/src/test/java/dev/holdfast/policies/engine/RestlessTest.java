package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the hold of workloads whose pods are moved to and fro, because a node label flaps slowly. */
class RestlessTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static ClusterBuilder facts(int pods) {
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", pods);
        for (int i = 1; i <= pods; i++) {
            facts.pod("web-" + i, on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"));
        }
        return facts;
    }

    /** Lets the label that the pods need be on the other node, for some time, again and again. */
    private static void flaps(EngineScenario engineScenario, int times, Duration time) {
        for (int i = 1; i <= times; i++) {
            boolean onSecond = i % 2 == 1;
            engineScenario.replacingOn(onSecond ? "n2" : "n1");
            engineScenario.happens(nodeChanged("n1", labels("disk", onSecond ? "hdd" : "ssd")));
            engineScenario.happens(nodeChanged("n2", labels("disk", onSecond ? "ssd" : "hdd")));
            engineScenario.after(time);
        }
    }

    @Test
    void aPodWhoseLabelFlapsEveryHourMovesEverMoreSeldom() {
        EngineScenario engineScenario = EngineScenario.begin(facts(1), enforcing());

        flaps(engineScenario, 10, HOUR);
        assertThat(engineScenario.evicted()).hasSize(7);
        flaps(engineScenario, 24, HOUR);

        assertThat(engineScenario.evicted()).hasSize(9);
        assertThat(engineScenario.holds()).contains(Reason.RESTLESS);
    }

    @Test
    void withoutTheHoldItMovesEachTime() {
        EngineScenario engineScenario =
                EngineScenario.begin(EngineScenario.settingsWithout(Set.of(Reason.RESTLESS)), facts(1), enforcing());

        flaps(engineScenario, 10, HOUR);

        assertThat(engineScenario.evicted()).hasSize(10);
    }

    @Test
    void theHoldSaysHowOftenAndUntilWhen() {
        EngineScenario engineScenario = EngineScenario.begin(facts(1), enforcing());

        flaps(engineScenario, 4, Duration.ofMinutes(2));

        assertThat(engineScenario.evicted()).hasSize(3);
        assertThat(engineScenario.held()).isEqualTo(Reason.RESTLESS);
        assertThat(engineScenario.heldBecause())
                .isEqualTo(
                        "this pod and those before it were moved 3 times one after the other: something changes to and"
                                + " fro, for example a node label, or the scheduler does not know all rules. An edit of"
                                + " the rule ends the wait");
        engineScenario.after(Duration.ofMinutes(20));
        assertThat(engineScenario.evicted()).hasSize(4);
    }

    @Test
    void movesWhoseReplacementsAreReadyTooLateCountToo() {
        EngineScenario engineScenario = EngineScenario.begin(facts(1), enforcing());

        String pod = "web-1";
        for (int round = 1; round <= 4; round++) {
            boolean onSecond = round % 2 == 1;
            String node = onSecond ? "n2" : "n1";
            engineScenario.replacingOn(node, notReady());
            engineScenario.happens(nodeChanged("n1", labels("disk", onSecond ? "hdd" : "ssd")));
            engineScenario.happens(nodeChanged("n2", labels("disk", onSecond ? "ssd" : "hdd")));
            engineScenario.after(Duration.ofMinutes(12));
            pod += "-r" + round;
            if (engineScenario.evicted().size() == round) {
                engineScenario.happens(podChanged(pod, on(node), replicaOf("web"), nodeSelector("disk", "ssd")));
            }
        }

        assertThat(engineScenario.evicted()).hasSize(3);
        assertThat(engineScenario.held()).isEqualTo(Reason.RESTLESS);
    }

    @Test
    void movesThatAreMoreThanADayApartAreNotRestless() {
        EngineScenario engineScenario = EngineScenario.begin(facts(1), enforcing());

        flaps(engineScenario, 6, Duration.ofHours(25));

        assertThat(engineScenario.evicted()).hasSize(6);
        assertThat(engineScenario.holds()).doesNotContain(Reason.RESTLESS);
    }

    @Test
    void tenPodsThatMoveOnceEachAreNotRestless() {
        EngineScenario engineScenario = EngineScenario.begin(facts(10), enforcing());

        flaps(engineScenario, 1, Duration.ofHours(2));

        assertThat(engineScenario.evicted()).hasSize(10);
        assertThat(engineScenario.holds()).doesNotContain(Reason.RESTLESS);
    }

    @Test
    void anEditOfTheRulesEndsTheWaitAndNoOtherEditDoes() {
        EngineScenario engineScenario = EngineScenario.begin(facts(1), enforcing());
        flaps(engineScenario, 4, Duration.ofMinutes(2));
        assertThat(engineScenario.held()).isEqualTo(Reason.RESTLESS);

        engineScenario
                .event(new Event.PolicyChanged(TestPolicies.edited(enforcing())))
                .afterSeconds(61);
        assertThat(engineScenario.held()).isEqualTo(Reason.RESTLESS);

        engineScenario
                .event(new Event.PolicyChanged(TestPolicies.without(
                        RuleKind.TOPOLOGY_SPREAD, TestPolicies.edited(TestPolicies.edited(enforcing())))))
                .afterSeconds(61);

        assertThat(engineScenario.evicted()).hasSize(4);
    }
}
