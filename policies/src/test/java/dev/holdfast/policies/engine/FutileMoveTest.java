package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.edited;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.ofUnknownControllers;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.lifecycle;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests futile moves: replacements violate the rule again and again, because they land on n1 although n2 would take
 * them.
 */
class FutileMoveTest {
    private static final Duration TWO_DAYS = Duration.ofDays(2);

    /**
     * When the five futile moves start in an unchanged cluster, in seconds: 60 s of forgiveness, then waits of 5, 10,
     * 20 and 40 min.
     */
    private static final List<Long> TRIES = List.of(60L, 360L, 960L, 2160L, 4560L);

    private final List<Long> evictedAt = new ArrayList<>();

    private static EngineScenario broken(PodTrait owned) {
        return EngineScenario.begin(cluster()
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .node("n3", labels("disk", "hdd"), cordoned(), tainted("gpu", "", "NoSchedule"))
                        .node("n5", labels("disk", "ssd"), lifecycle(NodeLifecycle.Condition.MAINTENANCE_PLANNED))
                        .replicaSet("web", 1)
                        .pod("web-1", on("n1"), owned, nodeSelector("disk", "ssd")))
                .event(new Event.PolicyChanged(enforcing(), ofUnknownControllers()))
                .replacingOn("n1");
    }

    private static EngineScenario broken() {
        return broken(replicaOf("web"));
    }

    /**
     * Lets time pass in steps, runs {@code then} after each step, and records when evictions were requested, in
     * seconds.
     */
    private EngineScenario run(EngineScenario engineScenario, Duration time, Duration step, Runnable then) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(step)) {
            int before = engineScenario.requests.size();
            engineScenario.after(step);
            note(engineScenario, before);
            before = engineScenario.requests.size();
            then.run();
            note(engineScenario, before);
        }
        return engineScenario;
    }

    private void note(EngineScenario engineScenario, int before) {
        for (int i = before; i < engineScenario.requests.size(); i++) {
            evictedAt.add(
                    Duration.between(EngineScenario.START, engineScenario.now).toSeconds());
        }
    }

    @Test
    void inTwoDaysItIsMovedFiveTimesEverMoreSeldomAndThenGivenUp() {
        EngineScenario engineScenario = run(broken(), TWO_DAYS, Duration.ofSeconds(1), () -> {});

        assertThat(evictedAt).isEqualTo(TRIES);
        assertThat(engineScenario.holds())
                .containsExactly(Reason.FUTILE, Reason.FUTILE, Reason.FUTILE, Reason.FUTILE, Reason.ENFORCEMENT_FUTILE);
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of(Reason.ENFORCEMENT_FUTILE, 1));
        assertThat(engineScenario
                        .report(enforcing())
                        .oldest()
                        .getFirst()
                        .hold()
                        .orElseThrow()
                        .message())
                .startsWith("pods of Deployment shop/web were moved 5 times in a row without success: the"
                        + " replacement landed on n1 and broke NodeAffinity again (5 times).");
    }

    @Test
    void inTwoDaysWithANodeThatFlapsEveryTenSecondsTheWaitsGoOnDoubling() {
        EngineScenario engineScenario = broken();
        boolean[] ready = {true};

        run(engineScenario, TWO_DAYS, Duration.ofSeconds(10), () -> {
            ready[0] = !ready[0];
            engineScenario.happens(
                    ready[0]
                            ? nodeChanged("n3", labels("disk", "hdd"))
                            : nodeChanged("n3", labels("disk", "hdd"), notReady()));
        });

        List<Long> expected = new ArrayList<>(TRIES);
        expected.addAll(List.of(9360L, 18960L, 38160L, 76560L, 153360L));
        assertThat(evictedAt).isEqualTo(expected);
    }

    @Test
    void aReplacementThatIsNeverReadyIsReportedInWords() {
        EngineScenario engineScenario = broken().replacingOn("n2", notReady()).afterSeconds(60 + 600);

        assertThat(engineScenario.events()).contains("Moved web-1 NOT_READY");
        engineScenario.happens(nodeChanged("n2", labels("disk", "hdd"))).afterSeconds(61);
        assertThat(engineScenario
                        .report(enforcing())
                        .oldest()
                        .getFirst()
                        .hold()
                        .orElseThrow()
                        .message())
                .isEqualTo("pods of Deployment shop/web were moved once without success: the replacement"
                        + " was not Ready within 600 s on n2");
    }

    /** {@return the scenario an hour after the fifth move, when Holdfast has given up} */
    private static EngineScenario givenUp() {
        EngineScenario engineScenario = broken().afterSeconds(4560 + 3600);
        assertThat(engineScenario.held()).isEqualTo(Reason.ENFORCEMENT_FUTILE);
        assertThat(engineScenario.requests).hasSize(5);
        return engineScenario;
    }

    static Stream<Arguments> changesOfNodes() {
        return Stream.of(
                row("a node is added", "n4", true),
                row("a node gets another label", "n3", true, labels("disk", "nvme"), cordoned(), gpu()),
                row("a node loses a taint", "n3", true, labels("disk", "hdd"), cordoned()),
                row("a node is uncordoned", "n3", true, labels("disk", "hdd"), gpu()),
                row("the maintenance of a node is called off", "n5", true, labels("disk", "ssd")),
                row(
                        "the planned maintenance of a node begins",
                        "n5",
                        false,
                        labels("disk", "ssd"),
                        lifecycle(NodeLifecycle.Condition.MAINTENANCE_IN_PROGRESS)),
                row(
                        "the maintenance of a node is planned",
                        "n2",
                        false,
                        labels("disk", "ssd"),
                        lifecycle(NodeLifecycle.Condition.MAINTENANCE_PLANNED)),
                row("a node event without a change", "n3", false, labels("disk", "hdd"), cordoned(), gpu()),
                row("a node is cordoned", "n2", false, labels("disk", "ssd"), cordoned()),
                row("a node is not Ready any more", "n2", false, labels("disk", "ssd"), notReady()));
    }

    private static NodeTrait gpu() {
        return tainted("gpu", "", "NoSchedule");
    }

    private static Arguments row(String name, String node, boolean again, NodeTrait... traits) {
        return argumentSet(name, node, again, traits);
    }

    @ParameterizedTest
    @MethodSource("changesOfNodes")
    void whoWasGivenUpHasOneMoreTryWhenANodeChangesForTheBetter(String node, boolean again, NodeTrait... traits) {
        EngineScenario engineScenario = givenUp();

        engineScenario.happens(nodeChanged(node, traits)).afterSeconds(1);
        assertThat(engineScenario.held()).isEqualTo(again ? Reason.FUTILE : Reason.ENFORCEMENT_FUTILE);
        engineScenario.after(TWO_DAYS);

        assertThat(engineScenario.requests).hasSize(again ? 6 : 5);
    }

    @Test
    void aNodeThatTurnsReadyGivesOneMoreTryEightyMinutesAfterTheLast() {
        EngineScenario engineScenario = givenUp().happens(nodeChanged("n3", labels("disk", "hdd"), notReady()));
        engineScenario
                .afterSeconds(1)
                .happens(nodeChanged("n3", labels("disk", "hdd")))
                .afterSeconds(1198);
        assertThat(engineScenario.requests).as("a second before").hasSize(5);

        engineScenario.afterSeconds(1);
        assertThat(engineScenario.requests).hasSize(6);
        engineScenario.afterSeconds(60);

        assertThat(engineScenario.held()).isEqualTo(Reason.ENFORCEMENT_FUTILE);
    }

    @Test
    void aMoveThatHelpsForgetsAllThatDidNot() {
        EngineScenario engineScenario = broken().afterSeconds(961);
        assertThat(engineScenario.requests).hasSize(3);

        engineScenario.replacingOn("n2").afterSeconds(1200);
        assertThat(engineScenario.events()).contains("Moved web-1-r1-r2-r3 MOVED");
        engineScenario
                .happens(nodeChanged("n2", labels("disk", "hdd")))
                .happens(nodeChanged("n4", labels("disk", "ssd")))
                .replacingOn("n2")
                .afterSeconds(61 + 300);

        assertThat(engineScenario.requests)
                .as("after four rounds the next one waits for 40 minutes")
                .hasSize(4);
        engineScenario.afterSeconds(2400 - 361);
        assertThat(engineScenario.requests).hasSize(5);
    }

    @Test
    void anEditOfTheRulesStartsAgainAndNoOtherEditDoes() {
        EngineScenario engineScenario = givenUp();
        Policy policy = enforcing();
        Policy renamed = enforcing("renamed", TestPolicies.FORGIVENESS);

        engineScenario.event(new Event.PolicyChanged(policy)).afterSeconds(3600);
        engineScenario.event(new Event.PolicyChanged(edited(policy))).afterSeconds(3600);
        engineScenario
                .event(new Event.PolicyChanged(
                        TestPolicies.policy("web", Mode.ENFORCE, Duration.ofSeconds(30), WhenInfeasible.EVICT)))
                .afterSeconds(3600);
        engineScenario
                .event(new Event.PolicyRemoved(policy.id()))
                .afterSeconds(1)
                .event(new Event.PolicyChanged(renamed))
                .after(TWO_DAYS);
        assertThat(engineScenario.requests).hasSize(5);

        engineScenario
                .event(new Event.PolicyChanged(policy))
                .event(new Event.PolicyChanged(TestPolicies.without(RuleKind.TOPOLOGY_SPREAD, policy)))
                .afterSeconds(61);
        assertThat(engineScenario.requests).hasSize(6);
        engineScenario.afterSeconds(60);

        assertThat(engineScenario.held()).isEqualTo(Reason.FUTILE);
    }

    @Test
    void anotherRevisionOfTheWorkloadBeginsFromZero() {
        EngineScenario engineScenario = givenUp().happens(replicaSetChanged("web", "web-v2", 1));

        engineScenario
                .happens(podGone("web-1-r1-r2-r3-r4-r5"))
                .happens(podChanged(
                        "web-v2-1", on("n1"), ownedBy("ReplicaSet", "web", "web-v2"), nodeSelector("disk", "ssd")))
                .afterSeconds(61);

        assertThat(engineScenario.evicted().getLast()).isEqualTo("web-v2-1");
    }

    @Test
    void aControllerThatIsNotWatchedIsRememberedAsLongAsItHasPods() {
        run(broken(ownedBy("StrimziPodSet", "kafka", "kafka")), TWO_DAYS, Duration.ofSeconds(1), () -> {});

        assertThat(evictedAt).isEqualTo(TRIES);
    }

    @Test
    void ofAWorkloadThatIsGoneNothingIsKept() {
        EngineScenario engineScenario = givenUp();

        engineScenario
                .happens(podGone("web-1-r1-r2-r3-r4-r5"))
                .happens(replicaSetGone("web"))
                .afterSeconds(3600)
                .happens(nodeGone("n5"))
                .afterSeconds(3600)
                .happens(nodeGone("n3"));

        assertThat(engineScenario.engine.remembered()).isZero();
    }
}
