package dev.holdfast.operator.reconcile.status;

import dev.holdfast.operator.translate.SpecProblem;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.move.HoldEnd;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the conditions of a policy: Ready, Effective, Compliant, EnforcementHeld and, if it injects,
 * SchedulingEnforced.
 */
public final class PolicyConditions {
    private static final String WAITING = "not evaluated yet: the operator is still reading the cluster";

    private static final String NO_RULE =
            "requests no rules, since `podRuleSelection` is None and `rules` is empty: nothing is evaluated for ";

    private PolicyConditions() {}

    /**
     * {@return the conditions Ready, Effective, Compliant and EnforcementHeld, and SchedulingEnforced if the policy
     * injects its rules, in this order}
     */
    public static List<ConditionContent> of(StatusInput statusInput, Instant now) {
        return Stream.concat(
                        Stream.of(
                                ready(statusInput, now),
                                EffectiveCondition.of(
                                        statusInput, () -> notEvaluated(ConditionType.EFFECTIVE, statusInput)),
                                compliant(statusInput),
                                held(statusInput)),
                        SchedulingCondition.of(
                                statusInput, () -> notEvaluated(ConditionType.SCHEDULING_ENFORCED, statusInput))
                                .stream())
                .toList();
    }

    private static ConditionContent ready(StatusInput statusInput, Instant now) {
        ConditionType type = ConditionType.READY;
        return switch (statusInput.entry().translation()) {
            case Translation.Refused(var problems, var _) ->
                ConditionContent.of(
                        type,
                        ConditionContent.FALSE,
                        ConditionReason.INVALID_SPEC,
                        refused(statusInput.entry(), problems));
            case Translation.InPart(var _, var _, var unknown) ->
                ConditionContent.of(
                        type,
                        ConditionContent.FALSE,
                        ConditionReason.UNKNOWN_FIELDS,
                        "audited only, since this version of Holdfast does not know all fields and values of the spec: "
                                + SpecProblem.list(unknown));
            case Translation.Understood(Policy policy, DisruptionControls disruptionControls) ->
                statusInput
                        .evaluated()
                        .map(report -> evaluated(type, policy, SpecWarnings.of(disruptionControls, now), report))
                        .orElseGet(() -> ConditionContent.of(
                                type, ConditionContent.UNKNOWN, ConditionReason.NOT_EVALUATED, waiting(statusInput)));
        };
    }

    private static ConditionContent evaluated(ConditionType type, Policy policy, String notes, PolicyReport report) {
        return report.mode() == Mode.DISABLED
                ? ConditionContent.of(
                        type, ConditionContent.TRUE, ConditionReason.DISABLED, "mode is Disabled: nothing is evaluated")
                : ConditionContent.of(
                        type,
                        ConditionContent.TRUE,
                        ConditionReason.EVALUATED,
                        (requestsNothing(policy) ? NO_RULE : "held to their rules: ")
                                + count(report.pods().selected(), "pod")
                                + notes);
    }

    private static boolean requestsNothing(Policy policy) {
        return policy.requestsNothing();
    }

    private static String refused(PolicyEntry entry, List<SpecProblem> problems) {
        String inForce = entry.inForce()
                .map(it -> "the rules of generation " + it.generation() + " are audited only until the policy is Ready")
                .orElse("nothing of this policy is in force");
        return "generation " + entry.generation() + " cannot be used, " + inForce + ": " + SpecProblem.list(problems);
    }

    private static ConditionContent compliant(StatusInput statusInput) {
        ConditionType type = ConditionType.COMPLIANT;
        return statusInput
                .evaluated()
                .map(report -> {
                    if (report.mode() == Mode.DISABLED) {
                        return ConditionContent.of(
                                type,
                                ConditionContent.UNKNOWN,
                                ConditionReason.DISABLED,
                                "mode is Disabled: nothing is evaluated");
                    }
                    if (report.verdictDifference().isPresent()) {
                        return new ConditionContent(
                                type,
                                ConditionContent.UNKNOWN,
                                Reason.VERDICTS_DIFFER.label(),
                                "a check of the operator against itself failed, so no verdict is trusted: "
                                        + report.verdictDifference().get());
                    }
                    if (statusInput.whyBlind().isPresent()) {
                        return new ConditionContent(
                                type,
                                ConditionContent.UNKNOWN,
                                Reason.VIEW_NOT_SYNCED.label(),
                                "the view of the cluster is incomplete or outdated: "
                                        + statusInput.whyBlind().get());
                    }
                    int violating = report.pods().violating();
                    String of = " of " + count(report.pods().selected(), "pod");
                    return violating == 0
                            ? ConditionContent.of(
                                    type,
                                    ConditionContent.TRUE,
                                    ConditionReason.NO_VIOLATIONS,
                                    "no rule is broken" + of)
                            : ConditionContent.of(
                                    type,
                                    ConditionContent.FALSE,
                                    ConditionReason.VIOLATIONS,
                                    violating + of + (violating == 1 ? " has" : " have") + " a broken rule");
                })
                .orElseGet(() -> notEvaluated(type, statusInput));
    }

    private static ConditionContent held(StatusInput statusInput) {
        ConditionType type = ConditionType.ENFORCEMENT_HELD;
        if (statusInput.evaluated().isEmpty()) {
            return notEvaluated(type, statusInput);
        }
        PolicyReport report = statusInput.evaluated().get();
        boolean wanted = statusInput
                .entry()
                .inForce()
                .filter(it -> it.requested() == Mode.ENFORCE)
                .isPresent();
        if (!wanted) {
            return report.mode() == Mode.DISABLED
                    ? ConditionContent.of(
                            type,
                            ConditionContent.FALSE,
                            ConditionReason.DISABLED,
                            "mode is Disabled: nothing is enforced")
                    : ConditionContent.of(
                            type,
                            ConditionContent.FALSE,
                            ConditionReason.AUDIT_MODE,
                            "mode is Audit: nothing is enforced");
        }
        Optional<ConditionReason> notReady = switch (statusInput.entry().translation()) {
            case Translation.Understood _ -> Optional.empty();
            case Translation.InPart _ -> Optional.of(ConditionReason.UNKNOWN_FIELDS);
            case Translation.Refused _ -> Optional.of(ConditionReason.INVALID_SPEC);
        };
        if (notReady.isPresent()) {
            return ConditionContent.of(
                    type, ConditionContent.TRUE, notReady.get(), "audited only: see the condition Ready");
        }
        if (report.verdictDifference().isPresent()) {
            return new ConditionContent(
                    type,
                    ConditionContent.TRUE,
                    Reason.VERDICTS_DIFFER.label(),
                    distrust(report.verdictDifference().get()));
        }
        if (report.mode() != Mode.ENFORCE) {
            return ConditionContent.of(
                    type,
                    ConditionContent.TRUE,
                    ConditionReason.MAX_MODE,
                    "mode Enforce is capped at " + report.mode().label()
                            + statusInput.whyCapped().map(why -> ": " + why).orElse(""));
        }
        if (statusInput.whyBlind().isPresent()) {
            return new ConditionContent(
                    type,
                    ConditionContent.TRUE,
                    Reason.VIEW_NOT_SYNCED.label(),
                    "evictions wait until the view of the cluster is complete and current: "
                            + statusInput.whyBlind().get());
        }
        if (!report.holds().isEmpty()) {
            return holds(type, report);
        }
        return report.lostLedger()
                .map(lost -> new ConditionContent(type, ConditionContent.TRUE, Reason.LEDGER_UNREAD.label(), lost))
                .orElseGet(() -> ConditionContent.of(
                        type, ConditionContent.FALSE, ConditionReason.NOTHING_HELD, "no due violation is held"));
    }

    private static String distrust(String difference) {
        return "a check of the operator against itself failed: " + difference
                + ". Nothing is evicted until an administrator acknowledges the failed check with an annotation on the"
                + " namespace of the operator";
    }

    private static ConditionContent holds(ConditionType type, PolicyReport report) {
        List<Map.Entry<Reason, Integer>> sorted =
                report.holds().entrySet().stream().sorted(MOST_FIRST).toList();
        int all = sorted.stream().mapToInt(Map.Entry::getValue).sum();
        String each = sorted.stream()
                .map(it -> it.getKey().label() + " " + it.getValue())
                .collect(Collectors.joining(", "));
        String toAcknowledge = report.backlog()
                .filter(_ -> report.holds().containsKey(Reason.POLICY_BACKLOG))
                .map(backlog -> "; " + backlog)
                .orElse("");
        // Rules that are required only where possible ask for nothing while no node satisfies them.
        boolean asksForNothing = report.holds().keySet().equals(Set.of(Reason.NOT_POSSIBLE));
        boolean onlyLedgerHolds = asksForNothing && report.lostLedger().isPresent();
        return new ConditionContent(
                type,
                asksForNothing && !onlyLedgerHolds ? ConditionContent.FALSE : ConditionContent.TRUE,
                (onlyLedgerHolds ? Reason.LEDGER_UNREAD : sorted.getFirst().getKey()).label(),
                count(all, "violation") + " due and held: " + each + toAcknowledge
                        + report.lostLedger().map(lost -> "; " + lost).orElse("")
                        + sorted.stream().map(it -> advice(it.getKey())).collect(Collectors.joining()));
    }

    /** {@return what a person must do to end the holds of a reason; empty if their messages differ in that} */
    private static String advice(Reason reason) {
        return HoldEnd.of(reason)
                .flatMap(end -> end instanceof HoldEnd.ByPerson(String text, HoldEnd.Advice advice)
                                && advice == HoldEnd.Advice.ADDED
                        ? Optional.of("; for " + reason.label() + ": " + text)
                        : Optional.empty())
                .orElse("");
    }

    /**
     * Orders the reasons of holds by how many violations they hold, the most frequent first. Equally frequent reasons
     * come in the order of the checks before an eviction. {@code NotPossible} comes last, as it needs no action.
     */
    static final Comparator<Map.Entry<Reason, Integer>> MOST_FIRST = Comparator.comparing(
                    (Map.Entry<Reason, Integer> holds) -> holds.getKey() == Reason.NOT_POSSIBLE)
            .thenComparing(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .thenComparing(Map.Entry::getKey);

    private static ConditionContent notEvaluated(ConditionType type, StatusInput statusInput) {
        boolean refused = statusInput.entry().translation() instanceof Translation.Refused;
        return ConditionContent.of(
                type,
                ConditionContent.UNKNOWN,
                ConditionReason.NOT_EVALUATED,
                refused && statusInput.entry().inForce().isEmpty()
                        ? "not evaluated: see the condition Ready"
                        : waiting(statusInput));
    }

    private static String waiting(StatusInput statusInput) {
        return WAITING + statusInput.whyBlind().map(why -> ": " + why).orElse("");
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
