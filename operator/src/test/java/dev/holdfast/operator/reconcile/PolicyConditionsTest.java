package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.reconcile.status.ConditionType;
import dev.holdfast.operator.reconcile.status.PolicyConditions;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.operator.reconcile.status.StatusInput;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the conditions Ready, Compliant and EnforcementHeld of a policy. */
class PolicyConditionsTest {
    private static final String WAITING = "not evaluated yet: the operator is still reading the cluster";
    private static final String ROOM =
            "; for Infeasible: make room on a node that fits: free, label, uncordon or add one";
    private static final String BUDGET =
            "; for DisruptionBudget: wait until all pods of the budget are Ready, repair them, or loosen the budget";
    private static final String READY = "Ready True Evaluated: held to their rules: 120 pods";
    private static final String CLEAN = "Compliant True NoViolations: no rule is broken of 120 pods";

    static Stream<Arguments> standings() {
        return Stream.of(
                row(
                        "before the first report the policy is not evaluated",
                        new StatusInput(
                                StatusInputs.inMode(Mode.ENFORCE),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                InjectionSupport.INSTALLED),
                        "Ready Unknown NotEvaluated: " + WAITING,
                        "Compliant Unknown NotEvaluated: " + WAITING,
                        "EnforcementHeld Unknown NotEvaluated: " + WAITING),
                row(
                        "a report of an earlier generation does not count",
                        standing(Mode.ENFORCE, StatusInputs.report(2, Mode.ENFORCE, 0, Map.of())),
                        "Ready Unknown NotEvaluated: " + WAITING,
                        "Compliant Unknown NotEvaluated: " + WAITING,
                        "EnforcementHeld Unknown NotEvaluated: " + WAITING),
                row(
                        "a compliant policy",
                        standing(Mode.ENFORCE, StatusInputs.report(3, Mode.ENFORCE, 0, Map.of())),
                        READY,
                        CLEAN,
                        "EnforcementHeld False NothingHeld: no due violation is held"),
                row(
                        "a policy that requests no rules says so, and is still Ready",
                        new StatusInput(
                                StatusInputs.asksForNothing(),
                                Optional.of(StatusInputs.report(3, Mode.ENFORCE, 0, Map.of())),
                                Optional.empty(),
                                Optional.empty(),
                                InjectionSupport.INSTALLED),
                        "Ready True Evaluated: requests no rules, since `podRuleSelection` is None and `rules` is"
                                + " empty: nothing is evaluated for 120 pods",
                        CLEAN,
                        "EnforcementHeld False NothingHeld: no due violation is held"),
                row(
                        "limits that allow nothing and an expired exception are named in Ready",
                        new StatusInput(
                                StatusInputs.restrained(),
                                Optional.of(StatusInputs.report(3, Mode.ENFORCE, 0, Map.of())),
                                Optional.empty(),
                                Optional.empty(),
                                InjectionSupport.INSTALLED),
                        READY + "; its `limits` allow no eviction; 1 of its `exceptions` expired at"
                                + " 2026-11-01T00:00:00Z and no longer has an effect",
                        CLEAN,
                        "EnforcementHeld False NothingHeld: no due violation is held"),
                row(
                        "a violation does not change Ready",
                        standing(Mode.ENFORCE, StatusInputs.report(3, Mode.ENFORCE, 1, Map.of())),
                        READY,
                        "Compliant False Violations: 1 of 120 pods has a broken rule",
                        "EnforcementHeld False NothingHeld: no due violation is held"),
                row(
                        "the most frequent reason becomes the reason of the condition",
                        standing(
                                Mode.ENFORCE,
                                StatusInputs.report(
                                        3, Mode.ENFORCE, 4, Map.of(Reason.DISRUPTION_BUDGET, 1, Reason.INFEASIBLE, 3))),
                        READY,
                        "Compliant False Violations: 4 of 120 pods have a broken rule",
                        "EnforcementHeld True Infeasible: 4 violations due and held: Infeasible 3, DisruptionBudget 1"
                                + ROOM + BUDGET),
                row(
                        "what is not possible asks for nothing, so that nothing is held",
                        standing(Mode.ENFORCE, StatusInputs.report(3, Mode.ENFORCE, 2, Map.of(Reason.NOT_POSSIBLE, 2))),
                        READY,
                        "Compliant False Violations: 2 of 120 pods have a broken rule",
                        "EnforcementHeld False NotPossible: 2 violations due and held: NotPossible 2"),
                row(
                        "what is not possible is named beside what is held",
                        standing(
                                Mode.ENFORCE,
                                StatusInputs.report(
                                        3, Mode.ENFORCE, 3, Map.of(Reason.NOT_POSSIBLE, 2, Reason.INFEASIBLE, 1))),
                        READY,
                        "Compliant False Violations: 3 of 120 pods have a broken rule",
                        "EnforcementHeld True Infeasible: 3 violations due and held: Infeasible 1, NotPossible 2"
                                + ROOM),
                row(
                        "a backlog adds its acknowledgement command, even if it holds the fewest violations",
                        standing(
                                Mode.ENFORCE,
                                StatusInputs.backlogged(
                                        StatusInputs.report(
                                                3,
                                                Mode.ENFORCE,
                                                3,
                                                Map.of(Reason.POLICY_BACKLOG, 1, Reason.NO_CONTROLLER, 2)),
                                        "11 pods: kubectl annotate placementpolicy")),
                        READY,
                        "Compliant False Violations: 3 of 120 pods have a broken rule",
                        "EnforcementHeld True NoController: 3 violations due and held: NoController 2, PolicyBacklog"
                            + " 1; 11 pods: kubectl annotate placementpolicy; for NoController: start a controller"
                            + " that replaces the pod, for example resume a suspended one, or create the pod elsewhere"
                            + " by hand"),
                row(
                        "a backlog without due violations holds nothing",
                        standing(
                                Mode.ENFORCE,
                                StatusInputs.backlogged(
                                        StatusInputs.report(3, Mode.ENFORCE, 3, Map.of()),
                                        "11 pods: kubectl annotate placementpolicy")),
                        READY,
                        "Compliant False Violations: 3 of 120 pods have a broken rule",
                        "EnforcementHeld False NothingHeld: no due violation is held"),
                row(
                        "a ledger that could not be read holds violations that are not due yet",
                        standing(
                                Mode.ENFORCE,
                                StatusInputs.withoutLedger(
                                        StatusInputs.report(3, Mode.ENFORCE, 0, Map.of()), "the memory was lost")),
                        READY,
                        CLEAN,
                        "EnforcementHeld True LedgerUnread: the memory was lost"),
                row(
                        "a ledger that could not be read is named beside what is held",
                        standing(
                                Mode.ENFORCE,
                                StatusInputs.withoutLedger(
                                        StatusInputs.report(3, Mode.ENFORCE, 1, Map.of(Reason.INFEASIBLE, 1)),
                                        "the memory was lost")),
                        READY,
                        "Compliant False Violations: 1 of 120 pods has a broken rule",
                        "EnforcementHeld True Infeasible: 1 violation due and held: Infeasible 1; the memory was lost"
                                + ROOM),
                row(
                        "what is not possible asks for nothing, so that the ledger that could not be read is the"
                                + " reason",
                        standing(
                                Mode.ENFORCE,
                                StatusInputs.withoutLedger(
                                        StatusInputs.report(3, Mode.ENFORCE, 2, Map.of(Reason.NOT_POSSIBLE, 2)),
                                        "the memory was lost")),
                        READY,
                        "Compliant False Violations: 2 of 120 pods have a broken rule",
                        "EnforcementHeld True LedgerUnread: 2 violations due and held: NotPossible 2; the memory was"
                                + " lost"),
                row(
                        "among equally frequent reasons, the one that is checked first",
                        standing(
                                Mode.ENFORCE,
                                StatusInputs.report(
                                        3, Mode.ENFORCE, 2, Map.of(Reason.DISRUPTION_BUDGET, 1, Reason.NOT_LEADER, 1))),
                        READY,
                        "Compliant False Violations: 2 of 120 pods have a broken rule",
                        "EnforcementHeld True NotLeader: 2 violations due and held: NotLeader 1, DisruptionBudget 1"
                                + BUDGET),
                row(
                        "a policy in Audit holds nothing, since it enforces nothing",
                        standing(Mode.AUDIT, StatusInputs.report(3, Mode.AUDIT, 0, Map.of(Reason.INFEASIBLE, 1))),
                        READY,
                        CLEAN,
                        "EnforcementHeld False AuditMode: mode is Audit: nothing is enforced"),
                row(
                        "a capped policy names the cause",
                        new StatusInput(
                                StatusInputs.inMode(Mode.ENFORCE),
                                Optional.of(StatusInputs.report(3, Mode.AUDIT, 0, Map.of())),
                                Optional.of("the right to create pods/eviction is missing"),
                                Optional.empty(),
                                InjectionSupport.INSTALLED),
                        READY,
                        CLEAN,
                        "EnforcementHeld True MaxMode: mode Enforce is capped at Audit: the right to create"
                                + " pods/eviction is missing"),
                row(
                        "after a wrong verdict nothing is enforced, and compliance is unknown",
                        standing(
                                Mode.ENFORCE,
                                StatusInputs.distrusted(StatusInputs.report(3, Mode.ENFORCE, 1, Map.of()))),
                        READY,
                        "Compliant Unknown VerdictsDiffer: a check of the operator against itself failed, so no"
                                + " verdict is trusted: pod shop/web-1, rule disk In [ssd]",
                        "EnforcementHeld True VerdictsDiffer: a check of the operator against itself failed: pod"
                                + " shop/web-1, rule disk In [ssd]. Nothing is evicted until an administrator"
                                + " acknowledges the failed check with an annotation on the namespace of the operator"),
                row(
                        "while a view is not synced nothing is evicted, and compliance is unknown",
                        new StatusInput(
                                StatusInputs.inMode(Mode.ENFORCE),
                                Optional.of(StatusInputs.report(3, Mode.ENFORCE, 0, Map.of())),
                                Optional.empty(),
                                Optional.of("view pods: the right to list pods is missing"),
                                InjectionSupport.INSTALLED),
                        READY,
                        "Compliant Unknown ViewNotSynced: the view of the cluster is incomplete or outdated: view"
                                + " pods: the right to list"
                                + " pods is missing",
                        "EnforcementHeld True ViewNotSynced: evictions wait until the view of the cluster is complete"
                                + " and current: view pods: the right to list pods is missing"),
                row(
                        "a policy in Audit also reports a view that is not synced",
                        new StatusInput(
                                StatusInputs.inMode(Mode.AUDIT),
                                Optional.of(StatusInputs.report(3, Mode.AUDIT, 0, Map.of())),
                                Optional.empty(),
                                Optional.of("view pods: not synced yet"),
                                InjectionSupport.INSTALLED),
                        READY,
                        "Compliant Unknown ViewNotSynced: the view of the cluster is incomplete or outdated: view"
                                + " pods: not synced yet",
                        "EnforcementHeld False AuditMode: mode is Audit: nothing is enforced"),
                row(
                        "before the first report, the missing view is named",
                        new StatusInput(
                                StatusInputs.inMode(Mode.ENFORCE),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of("view pods: the right to list pods is missing"),
                                InjectionSupport.INSTALLED),
                        "Ready Unknown NotEvaluated: " + WAITING + ": view pods: the right to list pods is missing",
                        "Compliant Unknown NotEvaluated: " + WAITING + ": view pods: the right to list pods is missing",
                        "EnforcementHeld Unknown NotEvaluated: " + WAITING
                                + ": view pods: the right to list pods is missing"),
                row(
                        "a policy that is Disabled is Ready, and its compliance is unknown",
                        standing(Mode.DISABLED, StatusInputs.report(3, Mode.DISABLED, 0, Map.of())),
                        "Ready True Disabled: mode is Disabled: nothing is evaluated",
                        "Compliant Unknown Disabled: mode is Disabled: nothing is evaluated",
                        "EnforcementHeld False Disabled: mode is Disabled: nothing is enforced"),
                row(
                        "an invalid policy lists all errors",
                        new StatusInput(
                                StatusInputs.entry("{mode: Enforce, forgivenessSeconds: -1}", Optional.empty()),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                InjectionSupport.INSTALLED),
                        "Ready False InvalidSpec: generation 3 cannot be used, nothing of this policy is in force:"
                            + " spec.podSelector: must be given when `mode` is 'Enforce': name the pods, or write {}"
                            + " to mean all of them; spec.forgivenessSeconds: must be 0 to 604800 (a week), got -1",
                        "Compliant Unknown NotEvaluated: not evaluated: see the condition Ready",
                        "EnforcementHeld Unknown NotEvaluated: not evaluated: see the condition Ready"),
                row(
                        "after an invalid edit the last valid generation is audited",
                        new StatusInput(
                                StatusInputs.entry(
                                        "{forgivenessSeconds: -1}",
                                        Optional.of(new PolicyEntry.InForce(2, Mode.AUDIT, Duration.ofMinutes(10)))),
                                Optional.of(StatusInputs.report(2, Mode.AUDIT, 0, Map.of())),
                                Optional.empty(),
                                Optional.empty(),
                                InjectionSupport.INSTALLED),
                        "Ready False InvalidSpec: generation 3 cannot be used, the rules of generation 2 are audited"
                            + " only until the policy is Ready: spec.forgivenessSeconds: must be 0 to 604800 (a week),"
                            + " got -1",
                        CLEAN,
                        "EnforcementHeld False AuditMode: mode is Audit: nothing is enforced"),
                row(
                        "an invalid edit of an enforced policy holds it",
                        new StatusInput(
                                StatusInputs.entry(
                                        "{forgivenessSeconds: -1}",
                                        Optional.of(new PolicyEntry.InForce(2, Mode.ENFORCE, Duration.ofMinutes(10)))),
                                Optional.of(StatusInputs.report(2, Mode.AUDIT, 0, Map.of())),
                                Optional.empty(),
                                Optional.empty(),
                                InjectionSupport.INSTALLED),
                        "Ready False InvalidSpec: generation 3 cannot be used, the rules of generation 2 are audited"
                            + " only until the policy is Ready: spec.forgivenessSeconds: must be 0 to 604800 (a week),"
                            + " got -1",
                        CLEAN,
                        "EnforcementHeld True InvalidSpec: audited only: see the condition Ready"),
                row(
                        "a policy with unknown fields is audited only",
                        new StatusInput(
                                StatusInputs.entry(
                                        "{mode: Enforce, podSelector: {}, weather: []}",
                                        Optional.of(new PolicyEntry.InForce(3, Mode.ENFORCE, Duration.ofMinutes(10)))),
                                Optional.of(StatusInputs.report(3, Mode.AUDIT, 0, Map.of())),
                                Optional.empty(),
                                Optional.empty(),
                                InjectionSupport.INSTALLED),
                        "Ready False UnknownFields: audited only, since this version of Holdfast does not know all"
                                + " fields and values of the spec: spec.weather: is not known to this version of"
                                + " Holdfast",
                        CLEAN,
                        "EnforcementHeld True UnknownFields: audited only: see the condition Ready"));
    }

    private static StatusInput standing(Mode asked, PolicyReport report) {
        return new StatusInput(
                StatusInputs.inMode(asked),
                Optional.of(report),
                Optional.empty(),
                Optional.empty(),
                InjectionSupport.INSTALLED);
    }

    private static Arguments row(String name, StatusInput statusInput, String... says) {
        return argumentSet(name, statusInput, List.of(says));
    }

    @ParameterizedTest
    @MethodSource("standings")
    void say(StatusInput statusInput, List<String> expected) {
        assertThat(PolicyConditions.of(statusInput, StatusInputs.READ_AT))
                .filteredOn(conditionContent -> conditionContent.type() != ConditionType.EFFECTIVE)
                .extracting(conditionContent -> conditionContent.type().label() + " " + conditionContent.status() + " "
                        + conditionContent.reason() + ": " + conditionContent.message())
                .isEqualTo(expected);
    }
}
