package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.budgetChanged;
import static dev.holdfast.policies.testing.Changes.budgetGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that no request is sent for a pod while the watched status of its disruption budget shows it spent. */
class SpentBudgetTest {
    private static PodTrait[] web(String workload, PodTrait... more) {
        PodTrait[] usual = {
            on("n1"), labels("app", "web"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", workload, workload)
        };
        return Stream.concat(Stream.of(usual), Stream.of(more)).toArray(PodTrait[]::new);
    }

    private static ClusterBuilder nodes() {
        return cluster().node("n1", labels("disk", "hdd")).node("n2", labels("disk", "ssd"));
    }

    private static EngineScenario begin(ClusterBuilder facts, Policy policy) {
        return EngineScenario.begin(facts, policy);
    }

    @Test
    void whileTheStatusShowsItSpentNothingIsReadOrAskedHoweverOftenItChanges() {
        EngineScenario engineScenario =
                begin(nodes().pod("web-1", web("web")), enforcing()).happens(budgetChanged("web", app("web"), 0));

        for (int minute = 0; minute < 30; minute++) {
            engineScenario.afterSeconds(60).happens(budgetChanged("web", app("web"), 0));
        }

        assertThat(engineScenario.held()).isEqualTo(Reason.DISRUPTION_BUDGET);
        assertThat(engineScenario.heldBecause()).isEqualTo("disruption budget web allows no disruption now");
        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.dryRuns).isEmpty();
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                row("its status rises", budgetChanged("web", app("web"), 1)),
                row("it gets another selector", budgetChanged("web", app("other"), 0)),
                row("it is deleted", budgetGone("web")),
                row(
                        "a second budget selects the pod, which the API server judges",
                        budgetChanged("web-2", app("web"), 0)));
    }

    private static Arguments row(String name, ClusterEvent change) {
        return Arguments.argumentSet(name, change);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void withinASecondThePodIsReadAndAskedWhere(ClusterEvent change) {
        EngineScenario engineScenario = begin(nodes().pod("web-1", web("web")), enforcing())
                .happens(budgetChanged("web", app("web"), 0))
                .answeringDryRuns(_ -> new EvictionAnswer.OutOfBudget("spent", Optional.empty()))
                .afterSeconds(120);
        assertThat(engineScenario.dryRuns).isEmpty();

        engineScenario.happens(change).afterSeconds(61);

        assertThat(engineScenario.dryRuns).isNotEmpty();
    }

    @Test
    void ofTwoPodsUnderABudgetThatAllowsOneTheSecondIsNotAskedBeforeTheStatusCounts() {
        ClusterBuilder facts = nodes().pod("web-1", web("web")).pod("web-2", web("other"));
        EngineScenario engineScenario = begin(facts, enforcing())
                .happens(budgetChanged("web", app("web"), 1))
                .answeringLate();

        engineScenario.afterSeconds(60);

        assertThat(engineScenario.dryRuns).hasSize(1);
        assertThat(engineScenario.requests).hasSize(1);
    }

    @Test
    void anAuditAsksNothingAndIsNotHeldByIt() {
        EngineScenario engineScenario = begin(nodes().pod("web-1", web("web")), auditing())
                .happens(budgetChanged("web", app("web"), 0))
                .afterSeconds(61);

        assertThat(engineScenario.report(auditing()).holds()).isEqualTo(Map.of());
    }
}
