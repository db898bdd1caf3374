package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.testing.Changes.acknowledged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the label breaker for labels whose value changes all the time. In each scenario, nodes n0 to n9 have one pod
 * each, which does not want to be on a node with a high load.
 */
class DynamicLabelTest {
    private static final int NODES = 10;
    private static final EngineSettings SETTINGS = EngineScenario.settings().withLedger();
    private static final NodeTrait LOW = labels("load", "low");
    private static final NodeTrait HIGH = labels("load", "high");
    private static final NodeTrait NONE = labels("cpu", "new");

    private static EngineScenario begin(Requirement required) {
        ClusterBuilder facts = cluster();
        for (int i = 0; i < NODES; i++) {
            facts.node("n" + i, LOW)
                    .replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n" + i), replicaOf("web-" + i), nodeAffinity(nodeTerm(required)));
        }
        return EngineScenario.begin(SETTINGS, facts, everywhere(enforcing("web", Duration.ofMinutes(5))));
    }

    private static Requirement low() {
        return expression("load", "In", "low");
    }

    /** Half of the nodes are loaded at each time, each node for half of the time. */
    private static EngineScenario flapping(EngineScenario engineScenario, int changes, Duration each, NodeTrait high) {
        return flapping(engineScenario, changes, each, LOW, high);
    }

    private static EngineScenario flapping(
            EngineScenario engineScenario, int changes, Duration each, NodeTrait low, NodeTrait high) {
        for (int change = 0; change < changes; change++) {
            for (int i = 0; i < NODES; i++) {
                engineScenario.happens(nodeChanged("n" + i, (i + change) % 2 == 0 ? high : low));
            }
            engineScenario.after(each);
        }
        return engineScenario;
    }

    private static EngineScenario acknowledge(EngineScenario engineScenario) {
        return engineScenario
                .happens(acknowledged(engineScenario.turns.getLast().id()))
                .afterSeconds(1);
    }

    /** A labeller goes wrong for hours, and the label is dynamic in the end. */
    @Test
    void anOpenBreakerStaysOpenAcrossARestartAfterItsLabelIsDynamic() {
        EngineScenario before = flapping(begin(low()), 300, Duration.ofMinutes(1), HIGH);
        assertThat(before.dynamic).hasSize(1);

        EngineScenario after = flapping(before.restarted(SETTINGS), 30, Duration.ofMinutes(1), HIGH);

        assertThat(turns(after)).containsExactly("TAKEN_OVER load");
        assertThat(after.reads).isEmpty();
    }

    private static List<String> turns(EngineScenario engineScenario) {
        return engineScenario.turns.stream()
                .map(report -> report.change() + " " + report.id().replaceAll("@.*", ""))
                .toList();
    }

    static Stream<Arguments> dynamicLabels() {
        return Stream.of(
                argumentSet("a value that rules require", low(), LOW, HIGH),
                argumentSet("a value that rules forbid", expression("load", "NotIn", "high"), LOW, HIGH),
                argumentSet("a label that comes and goes", expression("load", "DoesNotExist"), NONE, HIGH));
    }

    @ParameterizedTest
    @MethodSource("dynamicLabels")
    void whatChangesEveryMinuteForFourHoursIsCalledDynamicOnceAndOpensNoBreakerOnceItIsAcknowledged(
            Requirement required, NodeTrait low, NodeTrait high) {
        EngineScenario engineScenario = begin(required);
        for (int i = 0; i < NODES; i++) {
            engineScenario.happens(nodeChanged("n" + i, low));
        }

        flapping(engineScenario, 180, Duration.ofMinutes(1), low, high);
        assertThat(engineScenario.dynamic).isEmpty();
        assertThat(turns(engineScenario)).containsExactly("OPENED load");
        flapping(engineScenario, 300, Duration.ofMinutes(1), low, high);

        assertThat(engineScenario.dynamic).extracting(report -> report.key()).containsExactly("load");
        assertThat(turns(engineScenario)).containsExactly("OPENED load");

        flapping(acknowledge(engineScenario), 300, Duration.ofMinutes(1), low, high);

        assertThat(engineScenario.dynamic).hasSize(1);
        assertThat(turns(engineScenario)).containsExactly("OPENED load", "ACKNOWLEDGED load");
    }

    @Test
    void theReportSaysHowOftenItChangedAndWhatToDo() {
        EngineScenario engineScenario = flapping(begin(low()), 200, Duration.ofMinutes(1), HIGH);

        assertThat(engineScenario.dynamic.getFirst().message())
                .isEqualTo("label load is dynamic: within a day, it changed in four different hours on 5 of 10 nodes."
                        + " Its breaker stays open until you acknowledge it. Changes of its value no longer"
                        + " open the label breaker, and violations of rules that read it are acted on at the"
                        + " pace of the limits. If pods shall not move each time it changes, let no rule read"
                        + " it, or raise the forgiveness of these rules above the time for which a value"
                        + " stays");
    }

    @Test
    void aValueThatChangesEverySixHoursIsDynamicToo() {
        EngineScenario engineScenario = flapping(begin(low()), 5, Duration.ofHours(6), HIGH);

        assertThat(engineScenario.dynamic).hasSize(1);
    }

    @Test
    void aLabellerThatGoesWrongForThreeHoursDoesNotTurnTheBreakerOff() {
        EngineScenario engineScenario = flapping(begin(low()), 179, Duration.ofMinutes(1), HIGH);

        assertThat(engineScenario.dynamic).isEmpty();
        assertThat(turns(engineScenario)).containsExactly("OPENED load");
    }

    @Test
    void aLabelThatChangesAllTheTimeOnFewNodesIsNotDynamic() {
        EngineScenario engineScenario = begin(low());
        for (int change = 0; change < 300; change++) {
            for (int i = 0; i < 4; i++) {
                engineScenario.happens(nodeChanged("n" + i, (i + change) % 2 == 0 ? HIGH : LOW));
            }
            engineScenario.after(Duration.ofMinutes(1));
        }

        assertThat(engineScenario.dynamic).isEmpty();
    }

    @Test
    void aDynamicLabelThatNodesLoseAltogetherIsLost() {
        EngineScenario engineScenario = acknowledge(flapping(begin(low()), 200, Duration.ofMinutes(1), HIGH));
        for (int i = 0; i < NODES; i++) {
            engineScenario.happens(nodeChanged("n" + i, LOW));
        }
        engineScenario.after(Duration.ofHours(1));

        for (int i = 0; i < 6; i++) {
            engineScenario.happens(nodeChanged("n" + i, NONE));
        }
        engineScenario.after(Duration.ofHours(5));

        assertThat(turns(engineScenario)).containsExactly("OPENED load", "ACKNOWLEDGED load", "OPENED load");
        assertThat(engineScenario.turns.getLast().message()).startsWith("label load left 6 of 10 nodes in 1 s; ");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void aLabelThatStaysTheSameForADayIsDynamicNoLonger() {
        EngineScenario engineScenario = flapping(begin(low()), 200, Duration.ofMinutes(1), HIGH);
        for (int i = 0; i < NODES; i++) {
            engineScenario.happens(nodeChanged("n" + i, LOW));
        }
        engineScenario.after(Duration.ofHours(26)).happens(nodeChanged("other"));

        for (int i = 0; i < 6; i++) {
            engineScenario.happens(nodeChanged("n" + i, HIGH));
        }
        engineScenario.afterSeconds(70);

        assertThat(turns(engineScenario)).containsExactly("OPENED load", "HEALED load", "OPENED load");
    }

    @Test
    void aRestartKnowsWhichLabelsAreDynamic() {
        EngineScenario before = acknowledge(flapping(begin(low()), 200, Duration.ofMinutes(1), HIGH))
                .afterSeconds(10);

        EngineScenario after = flapping(before.restarted(SETTINGS), 300, Duration.ofMinutes(1), HIGH);

        assertThat(after.dynamic).isEmpty();
        assertThat(after.turns).isEmpty();
    }
}
