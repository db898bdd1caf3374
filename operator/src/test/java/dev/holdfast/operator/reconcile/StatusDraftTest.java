package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.status.EffectiveLimits;
import dev.holdfast.crds.v1alpha1.status.EffectivePolicy;
import dev.holdfast.crds.v1alpha1.status.HoldCount;
import dev.holdfast.crds.v1alpha1.status.Outlook;
import dev.holdfast.crds.v1alpha1.status.PodCounts;
import dev.holdfast.crds.v1alpha1.status.PolicyCondition;
import dev.holdfast.crds.v1alpha1.status.PolicyEviction;
import dev.holdfast.crds.v1alpha1.status.PolicyLeader;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.crds.v1alpha1.status.PolicyViolation;
import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.operator.reconcile.status.StatusDraft;
import dev.holdfast.operator.reconcile.status.StatusInput;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.PolicyReport.EvictionRecord;
import dev.holdfast.policies.engine.report.PolicyReport.Pods;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.Outcome;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the status that is built from a report of the engine. */
class StatusDraftTest {
    private static final PolicyLeader LEADER = PolicyLeader.of("holdfast-0_1", Instant.parse("2026-11-20T12:00:00Z"));

    private static final Instant NOW = Instant.parse("2026-11-20T15:42:10.123456789Z");
    private static final Instant SECOND = Instant.parse("2026-11-20T15:42:10Z");

    private static ViolationReport held() {
        return held(Samples.violation());
    }

    private static ViolationReport held(ViolationReport it) {
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
                Set.of("ssd"),
                Samples.LIMITS,
                new Pods(120, 3, 2, 1),
                Map.of(),
                Map.of(Reason.DISRUPTION_BUDGET, 1, Reason.INFEASIBLE, 2),
                Optional.empty(),
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
                Optional.empty(),
                InjectionSupport.INSTALLED);
        return StatusDraft.of(statusInput, Optional.of(LEADER), before, NOW);
    }

    @Test
    void countsAndTimesAreTheReports() {
        PolicyStatus status = draft(report(List.of(), List.of()), List.of());

        assertThat(status.leader()).isEqualTo(LEADER);
        assertThat(status.observedGeneration()).isEqualTo(3);
        assertThat(status.effective())
                .isEqualTo(new EffectivePolicy(
                        Mode.ENFORCE,
                        600,
                        new EffectiveLimits(
                                5,
                                60,
                                2,
                                new IntOrString("25%"),
                                new EffectiveLimits.PerWorkload(1, new IntOrString(3)))));
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
                plain.rules(),
                plain.limits(),
                plain.pods(),
                plain.violations(),
                plain.holds(),
                plain.verdictDifference(),
                plain.backlog(),
                Optional.empty(),
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
                        "node-12 does not match disk In [ssd]: it has disk=hdd, since label disk of node node-12"
                                + " changed ssd -> hdd; heals when node-12 matches disk In [ssd]; held:"
                                + " PodDisruptionBudget shop/web allows no disruption"));
    }

    @Test
    void ofALongBreachThePartIsLeftOutThatTheHoldNeeds() {
        ViolationReport violation = Samples.violation();
        ViolationReport wordy = held(Samples.violation(
                "web-1",
                violation.mode(),
                violation.cause(),
                new ViolationDetail.NodeMismatch("node-12", "disk In [ssd]", "it has ".repeat(100))));

        String message = draft(report(List.of(wordy), List.of()), List.of())
                .violations()
                .getFirst()
                .message();

        assertThat(message)
                .hasSize(300)
                .startsWith("node-12 does not match disk In [ssd]: it has it has")
                .contains("..., since label disk of node node-12 changed ssd -> hdd; heals when")
                .endsWith("; held: PodDisruptionBudget shop/web allows no disruption");
    }

    @Test
    void aViolationOfAnInjectedRuleThatIsLeftOutSaysWhy() {
        PolicyStatus status = draft(report(List.of(Samples.leftOut()), List.of()), List.of());

        assertThat(status.violations())
                .singleElement()
                .extracting(PolicyViolation::message)
                .asString()
                .endsWith("; not injected (TooManyNodeValues): the pod's node affinity would have more than 150"
                        + " requirements and values");
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
        assertThat(draft(report(List.of(), Collections.nCopies(50, eviction("web-1", "a cause"))), List.of())
                        .recentEvictions())
                .hasSize(10);
        assertThat(draft(report(Collections.nCopies(50, held()), List.of()), List.of())
                        .violations())
                .as("as many as fit into 8 KiB, at most 20")
                .hasSize(16);
    }

    @Test
    void aStatusIsAtMostEightKiBLongAndListsTheOldestViolationsAndTheLastEvictions() {
        List<EvictionRecord> evictions = IntStream.range(0, 10)
                .mapToObj(i -> eviction(i + "p".repeat(252), "c".repeat(2_000)))
                .toList();

        PolicyStatus status = draft(report(Collections.nCopies(50, held()), evictions), List.of());

        assertThat(new KubernetesSerialization().asJson(status).getBytes(StandardCharsets.UTF_8))
                .hasSizeBetween(PolicyStatus.MAX_BYTES - 800, PolicyStatus.MAX_BYTES);
        assertThat(status.violations()).hasSize(9);
        assertThat(status.recentEvictions())
                .extracting(PolicyEviction::pod)
                .containsExactlyElementsOf(
                        evictions.stream().limit(5).map(it -> it.pod().name()).toList());
        assertThat(status.recentEvictions().getFirst().cause()).hasSize(200).endsWith("c...");
    }

    private static EvictionRecord eviction(String pod, String cause) {
        return new EvictionRecord(
                NOW, new NamespacedName("shop", pod), "node-12", Optional.empty(), "ssd", cause, Optional.empty());
    }

    @Test
    void aConditionKeepsItsTimeUntilItsStatusChanges() {
        Instant earlier = Instant.parse("2026-11-19T00:00:00Z");
        List<PolicyCondition> before = List.of(
                new PolicyCondition("Ready", "True", "Disabled", "", earlier, 2L),
                new PolicyCondition("Compliant", "True", "NoViolations", "", earlier, 2L));

        assertThat(draft(report(List.of(), List.of()), before).conditions())
                .extracting(PolicyCondition::type, PolicyCondition::lastTransitionTime)
                .containsExactly(
                        tuple("Ready", earlier),
                        tuple("Effective", SECOND),
                        tuple("Compliant", SECOND),
                        tuple("EnforcementHeld", SECOND));
    }

    @Test
    void theSameStandingLaterIsTheSameStatus() {
        PolicyStatus first = draft(report(List.of(held()), List.of()), List.of());
        StatusInput statusInput = new StatusInput(
                StatusInputs.inMode(dev.holdfast.policies.rule.Mode.ENFORCE),
                Optional.of(report(List.of(held()), List.of())),
                Optional.empty(),
                Optional.empty(),
                InjectionSupport.INSTALLED);

        assertThat(StatusDraft.of(statusInput, Optional.of(LEADER), first.conditions(), NOW.plus(Duration.ofDays(1))))
                .isEqualTo(first);
    }

    @Test
    void beforeTheFirstReportOnlyTheConditionsAreThere() {
        StatusInput statusInput = new StatusInput(
                StatusInputs.inMode(dev.holdfast.policies.rule.Mode.ENFORCE),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                InjectionSupport.INSTALLED);
        PolicyStatus status = StatusDraft.of(statusInput, Optional.of(LEADER), List.of(), NOW);

        assertThat(status.conditions()).hasSize(4);
        assertThat(status.effective()).isNull();
        assertThat(status.pods()).isNull();
        assertThat(status.nextDeadlineTime()).isNull();
        assertThat(status.violations()).isEmpty();
    }
}
