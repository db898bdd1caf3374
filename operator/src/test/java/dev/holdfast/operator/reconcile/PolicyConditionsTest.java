package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

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

/** What the three conditions say. */
class PolicyConditionsTest {
    private static final String WAITING = "not evaluated yet: the operator is still reading the cluster";
    private static final String READY = "Ready True Evaluated: held to their rules: 120 pods";
    private static final String CLEAN = "Compliant True NoViolations: no rule is broken of 120 pods";

    static Stream<Arguments> standings() {
        return Stream.of(
                row(
                        "before the first report nothing is known",
                        new PolicyStanding(
                                Standings.asking(Mode.ENFORCE), Optional.empty(), Optional.empty(), Optional.empty()),
                        "Ready Unknown NotEvaluated: " + WAITING,
                        "Compliant Unknown NotEvaluated: " + WAITING,
                        "EnforcementHeld Unknown NotEvaluated: " + WAITING),
                row(
                        "a report of an earlier generation does not count",
                        standing(Mode.ENFORCE, Standings.report(2, Mode.ENFORCE, 0, Map.of())),
                        "Ready Unknown NotEvaluated: " + WAITING,
                        "Compliant Unknown NotEvaluated: " + WAITING,
                        "EnforcementHeld Unknown NotEvaluated: " + WAITING),
                row(
                        "all is well",
                        standing(Mode.ENFORCE, Standings.report(3, Mode.ENFORCE, 0, Map.of())),
                        READY,
                        CLEAN,
                        "EnforcementHeld False NothingHeld: nothing that is due is held"),
                row(
                        "a policy that asks for no rule says so, and is Ready all the same",
                        new PolicyStanding(
                                Standings.asksForNothing(),
                                Optional.of(Standings.report(3, Mode.ENFORCE, 0, Map.of())),
                                Optional.empty(),
                                Optional.empty()),
                        "Ready True Evaluated: asks for no rule, since `podRules` is [] and there are none in `rules`:"
                                + " nothing is looked at in 120 pods",
                        CLEAN,
                        "EnforcementHeld False NothingHeld: nothing that is due is held"),
                row(
                        "limits that allow nothing are named in Ready, and an exception that is over",
                        new PolicyStanding(
                                Standings.restrained(),
                                Optional.of(Standings.report(3, Mode.ENFORCE, 0, Map.of())),
                                Optional.empty(),
                                Optional.empty()),
                        READY + "; its `limits` allow no eviction; 1 of its `exceptions` has expired, at"
                                + " 2026-11-01T00:00:00Z: it holds nothing any more",
                        CLEAN,
                        "EnforcementHeld False NothingHeld: nothing that is due is held"),
                row(
                        "a violation does not touch Ready",
                        standing(Mode.ENFORCE, Standings.report(3, Mode.ENFORCE, 1, Map.of())),
                        READY,
                        "Compliant False Violations: 1 of 120 pods has a broken rule",
                        "EnforcementHeld False NothingHeld: nothing that is due is held"),
                row(
                        "the reason that holds most stands for all",
                        standing(
                                Mode.ENFORCE,
                                Standings.report(
                                        3, Mode.ENFORCE, 4, Map.of(Reason.DISRUPTION_BUDGET, 1, Reason.INFEASIBLE, 3))),
                        READY,
                        "Compliant False Violations: 4 of 120 pods have a broken rule",
                        "EnforcementHeld True Infeasible: 4 violations due and held: Infeasible 3, DisruptionBudget 1"),
                row(
                        "a backlog brings the command along with which it is acknowledged, also where it holds least",
                        standing(
                                Mode.ENFORCE,
                                Standings.backlogged(
                                        Standings.report(
                                                3,
                                                Mode.ENFORCE,
                                                3,
                                                Map.of(Reason.POLICY_BACKLOG, 1, Reason.NO_CONTROLLER, 2)),
                                        "11 pods: kubectl annotate placementpolicy")),
                        READY,
                        "Compliant False Violations: 3 of 120 pods have a broken rule",
                        "EnforcementHeld True NoController: 3 violations due and held: NoController 2, PolicyBacklog 1;"
                                + " 11 pods: kubectl annotate placementpolicy"),
                row(
                        "a backlog of which nothing is due yet holds nothing",
                        standing(
                                Mode.ENFORCE,
                                Standings.backlogged(
                                        Standings.report(3, Mode.ENFORCE, 3, Map.of()),
                                        "11 pods: kubectl annotate placementpolicy")),
                        READY,
                        "Compliant False Violations: 3 of 120 pods have a broken rule",
                        "EnforcementHeld False NothingHeld: nothing that is due is held"),
                row(
                        "of reasons that hold as much, the one that is checked first",
                        standing(
                                Mode.ENFORCE,
                                Standings.report(
                                        3, Mode.ENFORCE, 2, Map.of(Reason.DISRUPTION_BUDGET, 1, Reason.NOT_LEADER, 1))),
                        READY,
                        "Compliant False Violations: 2 of 120 pods have a broken rule",
                        "EnforcementHeld True NotLeader: 2 violations due and held: NotLeader 1, DisruptionBudget 1"),
                row(
                        "an audited policy holds nothing back, since it enforces nothing",
                        standing(Mode.AUDIT, Standings.report(3, Mode.AUDIT, 0, Map.of(Reason.INFEASIBLE, 1))),
                        READY,
                        CLEAN,
                        "EnforcementHeld False AuditMode: mode is Audit: nothing is enforced"),
                row(
                        "a policy that is capped says by what",
                        new PolicyStanding(
                                Standings.asking(Mode.ENFORCE),
                                Optional.of(Standings.report(3, Mode.AUDIT, 0, Map.of())),
                                Optional.of("the right to create pods/eviction is missing"),
                                Optional.empty()),
                        READY,
                        CLEAN,
                        "EnforcementHeld True MaxMode: mode Enforce is capped to Audit: the right to create"
                                + " pods/eviction is missing"),
                row(
                        "after a wrong verdict nothing is enforced, and nobody knows what is kept",
                        standing(Mode.ENFORCE, Standings.distrusted(Standings.report(3, Mode.ENFORCE, 1, Map.of()))),
                        READY,
                        "Compliant Unknown VerdictsDiffer: a verdict was found wrong, and others may be: pod"
                                + " shop/web-1, rule disk In [ssd]",
                        "EnforcementHeld True VerdictsDiffer: nothing is evicted until the operator is restarted, for"
                                + " a verdict was found wrong: pod shop/web-1, rule disk In [ssd]"),
                row(
                        "while the cluster is not in sight nothing is evicted, and nobody knows what is kept",
                        new PolicyStanding(
                                Standings.asking(Mode.ENFORCE),
                                Optional.of(Standings.report(3, Mode.ENFORCE, 0, Map.of())),
                                Optional.empty(),
                                Optional.of("view pods: the right to list pods is missing")),
                        READY,
                        "Compliant Unknown ViewNotSynced: the cluster is not in sight: view pods: the right to list"
                                + " pods is missing",
                        "EnforcementHeld True ViewNotSynced: nothing is evicted while the cluster is not in sight: view"
                                + " pods: the right to list pods is missing"),
                row(
                        "an audited policy that cannot be looked after says so too",
                        new PolicyStanding(
                                Standings.asking(Mode.AUDIT),
                                Optional.of(Standings.report(3, Mode.AUDIT, 0, Map.of())),
                                Optional.empty(),
                                Optional.of("view pods: not synced yet")),
                        READY,
                        "Compliant Unknown ViewNotSynced: the cluster is not in sight: view pods: not synced yet",
                        "EnforcementHeld False AuditMode: mode is Audit: nothing is enforced"),
                row(
                        "who has never seen the cluster says what is in the way",
                        new PolicyStanding(
                                Standings.asking(Mode.ENFORCE),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of("view pods: the right to list pods is missing")),
                        "Ready Unknown NotEvaluated: " + WAITING + ": view pods: the right to list pods is missing",
                        "Compliant Unknown NotEvaluated: " + WAITING + ": view pods: the right to list pods is missing",
                        "EnforcementHeld Unknown NotEvaluated: " + WAITING
                                + ": view pods: the right to list pods is missing"),
                row(
                        "a policy that is off is ready, and nobody knows whether it is kept",
                        standing(Mode.OFF, Standings.report(3, Mode.OFF, 0, Map.of())),
                        "Ready True SwitchedOff: mode is Off: nothing is evaluated",
                        "Compliant Unknown SwitchedOff: mode is Off: nothing is evaluated",
                        "EnforcementHeld False SwitchedOff: mode is Off: nothing is enforced"),
                row(
                        "an invalid policy says all that is wrong",
                        new PolicyStanding(
                                Standings.entry("{mode: Enforce, forgivenessSeconds: -1}", Optional.empty()),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()),
                        "Ready False InvalidSpec: generation 3 cannot be used, nothing of this policy is in force:"
                            + " spec.podSelector: must be given when `mode` is 'Enforce': name the pods, or write {}"
                            + " to mean all of them; spec.forgivenessSeconds: must be 0 to 604800 (a week), got -1",
                        "Compliant Unknown NotEvaluated: not evaluated: see the condition Ready",
                        "EnforcementHeld Unknown NotEvaluated: not evaluated: see the condition Ready"),
                row(
                        "an invalid edit leaves the last valid generation in force",
                        new PolicyStanding(
                                Standings.entry(
                                        "{forgivenessSeconds: -1}",
                                        Optional.of(new PolicyEntry.InForce(2, Mode.AUDIT, Duration.ofMinutes(10)))),
                                Optional.of(Standings.report(2, Mode.AUDIT, 0, Map.of())),
                                Optional.empty(),
                                Optional.empty()),
                        "Ready False InvalidSpec: generation 3 cannot be used, generation 2 stays in force:"
                                + " spec.forgivenessSeconds: must be 0 to 604800 (a week), got -1",
                        CLEAN,
                        "EnforcementHeld False AuditMode: mode is Audit: nothing is enforced"),
                row(
                        "what only a newer version knows is audited",
                        new PolicyStanding(
                                Standings.entry(
                                        "{mode: Enforce, podSelector: {}, weather: []}",
                                        Optional.of(new PolicyEntry.InForce(3, Mode.ENFORCE, Duration.ofMinutes(10)))),
                                Optional.of(Standings.report(3, Mode.AUDIT, 0, Map.of())),
                                Optional.empty(),
                                Optional.empty()),
                        "Ready False UnknownFields: audited and not enforced, since a newer version may have written"
                            + " what this one does not know: spec.weather: is not known to this version of Holdfast",
                        CLEAN,
                        "EnforcementHeld True UnknownFields: audited only: see the condition Ready"));
    }

    private static PolicyStanding standing(Mode asked, PolicyReport report) {
        return new PolicyStanding(Standings.asking(asked), Optional.of(report), Optional.empty(), Optional.empty());
    }

    private static Arguments row(String name, PolicyStanding policyStanding, String... says) {
        return argumentSet(name, policyStanding, List.of(says));
    }

    @ParameterizedTest
    @MethodSource("standings")
    void say(PolicyStanding policyStanding, List<String> expected) {
        assertThat(PolicyConditions.of(policyStanding, Standings.READ_AT))
                .extracting(
                        says -> says.type().label() + " " + says.status() + " " + says.reason() + ": " + says.message())
                .isEqualTo(expected);
    }
}
