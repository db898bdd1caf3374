package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.status.EffectivePolicy;
import dev.holdfast.crds.v1alpha1.status.HoldCount;
import dev.holdfast.crds.v1alpha1.status.Outlook;
import dev.holdfast.crds.v1alpha1.status.PodCounts;
import dev.holdfast.crds.v1alpha1.status.PolicyCondition;
import dev.holdfast.crds.v1alpha1.status.PolicyEviction;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.crds.v1alpha1.status.PolicyViolation;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.PolicyReport.EvictionRecord;
import dev.holdfast.policies.engine.report.PolicyReport.Pods;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the status that is built from a report of the engine. */
class StatusDraftTest {
    private static final Instant NOW = Instant.parse("2026-11-20T15:42:10.123456789Z");
    private static final Instant SECOND = Instant.parse("2026-11-20T15:42:10Z");

    private static ViolationReport held() {
        ViolationReport it = Samples.violation();
        return new ViolationReport(
                it.key(),
                it.pod(),
                it.controller(),
                it.victim(),
                it.policy(),
                it.rule(),
                it.demand(),
                it.mode(),
                it.cause(),
                it.violationDetail(),
                it.since().plusMillis(123),
                it.forgiveness(),
                it.deadline().plusMillis(123),
                it.protection(),
                ViolationState.HELD,
                Optional.of(Samples.budget(NOW)));
    }

    private static PolicyReport report(List<ViolationReport> oldest, List<EvictionRecord> recent) {
        return new PolicyReport(
                Samples.POLICY,
                3,
                dev.holdfast.policies.rule.Mode.ENFORCE,
                new Pods(120, 3, 2, 1),
                Map.of(),
                Map.of(Reason.DISRUPTION_BUDGET, 1, Reason.INFEASIBLE, 2),
                Optional.empty(),
                Optional.empty(),
                new dev.holdfast.policies.engine.report.Outlook(130, 60),
                Optional.of(NOW),
                oldest,
                recent);
    }

    /** {@return a report with a value in every field} */
    static PolicyReport telling() {
        return report(
                List.of(held()),
                List.of(new EvictionRecord(
                        NOW,
                        new NamespacedName("shop", "web-1"),
                        "node-12",
                        Optional.empty(),
                        "ssd",
                        "a cause",
                        Optional.of(Outcome.MOVED))));
    }

    private static PolicyStatus draft(PolicyReport report, List<PolicyCondition> before) {
        StatusInput statusInput = new StatusInput(
                StatusInputs.inMode(dev.holdfast.policies.rule.Mode.ENFORCE),
                Optional.of(report),
                Optional.empty(),
                Optional.empty());
        return StatusDraft.of(statusInput, before, NOW);
    }

    @Test
    void countsAndTimesAreTheReports() {
        PolicyStatus status = draft(report(List.of(), List.of()), List.of());

        assertThat(status.observedGeneration()).isEqualTo(3);
        assertThat(status.effective()).isEqualTo(new EffectivePolicy(Mode.ENFORCE, 600));
        assertThat(status.pods()).isEqualTo(new PodCounts(120, 3, 2, 1));
        assertThat(status.holds())
                .containsExactly(new HoldCount("Infeasible", 2), new HoldCount("DisruptionBudget", 1));
        assertThat(status.outlook()).isEqualTo(new Outlook(130, 60, 7_200));
        assertThat(status.nextDeadlineTime()).isEqualTo(SECOND);
    }

    @Test
    void whereTheLimitsAllowNothingNoTimeIsEnough() {
        PolicyReport plain = report(List.of(), List.of());
        PolicyReport stuck = new PolicyReport(
                plain.policy(),
                plain.generation(),
                plain.mode(),
                plain.pods(),
                plain.violations(),
                plain.holds(),
                plain.verdictDifference(),
                plain.backlog(),
                new dev.holdfast.policies.engine.report.Outlook(5, 0),
                plain.nextDeadline(),
                plain.oldest(),
                plain.recent());

        assertThat(draft(stuck, List.of()).outlook()).isEqualTo(new Outlook(5, 0, null));
    }

    @Test
    void aViolationSaysWhatBrokeItWhatHealsItAndWhatHoldsIt() {
        PolicyStatus status = draft(report(List.of(held()), List.of()), List.of());

        assertThat(status.violations())
                .containsExactly(new PolicyViolation(
                        "shop",
                        "web-1",
                        "node-12",
                        "ssd",
                        Samples.SINCE,
                        Samples.SINCE.plus(Duration.ofMinutes(10)),
                        "Held",
                        "DisruptionBudget",
                        "node-12 does not match disk In [ssd], since label disk of node node-12 changed ssd -> hdd;"
                                + " heals when node-12 matches disk In [ssd]; held: PodDisruptionBudget shop/web"
                                + " allows no disruption"));
    }

    @Test
    void aViolationForWhichAnotherPodGoesNamesIt() {
        PolicyStatus status = draft(report(List.of(Samples.insteadOf()), List.of()), List.of());

        assertThat(status.violations())
                .singleElement()
                .extracting(PolicyViolation::message)
                .asString()
                .endsWith("; pod data/batch-1, whose priority is lower, is evicted instead");
    }

    @Test
    void anEvictionInFlightHasNoOutcomeYet() {
        NamespacedName pod = new NamespacedName("shop", "web-1");
        PolicyStatus status = draft(
                report(
                        List.of(),
                        List.of(
                                new EvictionRecord(
                                        NOW, pod, "node-12", Optional.empty(), "ssd", "a cause", Optional.empty()),
                                new EvictionRecord(
                                        NOW,
                                        pod,
                                        "node-12",
                                        Optional.of("node-7"),
                                        "ssd",
                                        "a cause",
                                        Optional.of(Outcome.MOVED)))),
                List.of());

        assertThat(status.recentEvictions())
                .containsExactly(
                        new PolicyEviction(SECOND, "shop", "web-1", "node-12", null, "ssd", "a cause", null),
                        new PolicyEviction(SECOND, "shop", "web-1", "node-12", "node-7", "ssd", "a cause", "Moved"));
    }

    @Test
    void theListsAreBounded() {
        EvictionRecord eviction = new EvictionRecord(
                NOW,
                new NamespacedName("shop", "web-1"),
                "node-12",
                Optional.empty(),
                "ssd",
                "c".repeat(2_000),
                Optional.empty());
        PolicyStatus status =
                draft(report(Collections.nCopies(50, held()), Collections.nCopies(50, eviction)), List.of());

        assertThat(status.violations()).hasSize(20);
        assertThat(status.recentEvictions()).hasSize(10);
        assertThat(status.recentEvictions().getFirst().cause()).hasSize(1_024);
    }

    @Test
    void aConditionKeepsItsTimeUntilItsStatusChanges() {
        Instant earlier = Instant.parse("2026-11-19T00:00:00Z");
        List<PolicyCondition> before = List.of(
                new PolicyCondition("Ready", "True", "SwitchedOff", "", earlier, 2L),
                new PolicyCondition("Compliant", "True", "NoViolations", "", earlier, 2L));

        assertThat(draft(report(List.of(), List.of()), before).conditions())
                .extracting(PolicyCondition::type, PolicyCondition::lastTransitionTime)
                .containsExactly(tuple("Ready", earlier), tuple("Compliant", SECOND), tuple("EnforcementHeld", SECOND));
    }

    @Test
    void theSameStandingLaterIsTheSameStatus() {
        PolicyStatus first = draft(report(List.of(held()), List.of()), List.of());
        StatusInput statusInput = new StatusInput(
                StatusInputs.inMode(dev.holdfast.policies.rule.Mode.ENFORCE),
                Optional.of(report(List.of(held()), List.of())),
                Optional.empty(),
                Optional.empty());

        assertThat(StatusDraft.of(statusInput, first.conditions(), NOW.plus(Duration.ofDays(1))))
                .isEqualTo(first);
    }

    @Test
    void beforeTheFirstReportOnlyTheConditionsAreThere() {
        StatusInput statusInput = new StatusInput(
                StatusInputs.inMode(dev.holdfast.policies.rule.Mode.ENFORCE),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        PolicyStatus status = StatusDraft.of(statusInput, List.of(), NOW);

        assertThat(status.conditions()).hasSize(3);
        assertThat(status.effective()).isNull();
        assertThat(status.pods()).isNull();
        assertThat(status.nextDeadlineTime()).isNull();
        assertThat(status.violations()).isEmpty();
    }
}
