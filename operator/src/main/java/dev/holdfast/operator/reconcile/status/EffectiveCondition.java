package dev.holdfast.operator.reconcile.status;

import dev.holdfast.policies.effect.NoEffect;
import dev.holdfast.policies.engine.report.PolicyEffect;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.Mode;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the condition Effective of a policy: whether any of its rules can do something in the cluster as it is. It
 * has no influence on verdicts and evictions.
 */
final class EffectiveCondition {
    private static final ConditionType TYPE = ConditionType.EFFECTIVE;

    private static final Comparator<Map.Entry<String, NoEffect>> BY_KIND = Comparator.comparing(
                    (Map.Entry<String, NoEffect> rule) -> rule.getValue().kind())
            .thenComparing(Map.Entry::getKey);

    private EffectiveCondition() {}

    /** @param notEvaluated the condition while the engine has not evaluated the policy */
    static ConditionContent of(StatusInput statusInput, Supplier<ConditionContent> notEvaluated) {
        Optional<PolicyReport> report = statusInput.evaluated();
        if (report.isEmpty()) {
            return notEvaluated.get();
        }
        if (report.get().mode() == Mode.DISABLED) {
            return ConditionContent.of(
                    TYPE, ConditionContent.UNKNOWN, ConditionReason.DISABLED, "mode is Disabled: nothing is evaluated");
        }
        return statusInput
                .whyBlind()
                .map(why -> new ConditionContent(
                        TYPE,
                        ConditionContent.UNKNOWN,
                        Reason.VIEW_NOT_SYNCED.label(),
                        "the view of the cluster is incomplete or outdated: " + why))
                .orElseGet(() -> evaluated(report.get()));
    }

    private static ConditionContent evaluated(PolicyReport report) {
        PolicyEffect effect = report.effect();
        int selected = report.pods().selected();
        if (selected == 0) {
            return not(
                    ConditionReason.SELECTS_NO_POD,
                    "the policy selects no pod; compare its selectors with the labels of pods, nodes and namespaces");
        }
        if (effect.rules() == 0) {
            return not(
                    ConditionReason.NO_RULES,
                    "the policy holds "
                            + (selected == 1 ? "the pod that it selects" : "the " + selected + " pods that it selects")
                            + " to no rule");
        }
        String causes = Stream.concat(
                        effect.withoutEffect().entrySet().stream()
                                .sorted(BY_KIND)
                                .map(rule -> "rule " + rule.getKey() + " "
                                        + rule.getValue().kind().predicate(1) + ": "
                                        + rule.getValue().why()),
                        notExamined(effect).stream())
                .collect(Collectors.joining("; "));
        if (effect.isUnknown()) {
            return ConditionContent.of(TYPE, ConditionContent.UNKNOWN, ConditionReason.NOT_EXAMINED, causes);
        }
        if (effect.isNone()) {
            return not(
                    reason(effect.withoutEffect().values().stream()
                            .map(NoEffect::kind)
                            .min(Comparator.naturalOrder())
                            .orElseThrow()),
                    causes);
        }
        if (effect.withoutEffect().isEmpty() && !causes.isEmpty()) {
            return ConditionContent.of(
                    TYPE,
                    ConditionContent.TRUE,
                    ConditionReason.HAS_EFFECT,
                    "some rules can do something, as far as the operator can tell; " + causes);
        }
        return causes.isEmpty()
                ? ConditionContent.of(
                        TYPE,
                        ConditionContent.TRUE,
                        ConditionReason.HAS_EFFECT,
                        "its rules can do something, as far as the operator can tell")
                : ConditionContent.of(
                        TYPE,
                        ConditionContent.TRUE,
                        ConditionReason.HAS_EFFECT_IN_PART,
                        "some rules can do something, and others cannot: " + causes);
    }

    private static Optional<String> notExamined(PolicyEffect effect) {
        return effect.notExamined().isEmpty()
                ? Optional.empty()
                : Optional.of((effect.notExamined().size() == 1 ? "rule " : "rules ")
                        + String.join(", ", effect.notExamined())
                        + (effect.notExamined().size() == 1 ? " was" : " were")
                        + " not examined for all pods, because a search of all policies has a limit; run"
                        + " holdfast check");
    }

    private static ConditionReason reason(NoEffect.Kind kind) {
        return switch (kind) {
            case KEY_NOWHERE -> ConditionReason.NO_TOPOLOGY_KEY;
            case ONE_DOMAIN -> ConditionReason.ONE_DOMAIN;
            case NO_POD -> ConditionReason.COUNTS_NO_POD;
            case UNMATCHABLE -> ConditionReason.UNMATCHABLE;
        };
    }

    private static ConditionContent not(ConditionReason reason, String message) {
        return ConditionContent.of(TYPE, ConditionContent.FALSE, reason, message);
    }
}
