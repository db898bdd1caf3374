package dev.holdfast.operator.publish;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.util.Set;

/** The names of the answers to eviction requests, as metrics and logs show them. */
final class EvictionAnswerLabel {
    /** The names of all answers. */
    static final Set<String> ALL = Set.of(
            "Evicted",
            "Gone",
            "NotSent",
            Reason.NAMESPACE_TERMINATING.label(),
            Reason.CONFLICT.label(),
            Reason.DISRUPTION_BUDGET.label(),
            Reason.SEVERAL_BUDGETS.label(),
            Reason.THROTTLED.label(),
            Reason.REFUSED_BY_ADMISSION.label(),
            Reason.DRY_RUN_UNSUPPORTED.label(),
            Reason.FORBIDDEN.label(),
            Reason.API_ERROR.label(),
            Reason.OUTCOME_UNKNOWN.label());

    private EvictionAnswerLabel() {}

    /**
     * {@return the name of the answer, for example {@code Evicted}} If the answer prevents the eviction for now, the
     * name is the reason of the hold, for example {@code DisruptionBudget}.
     */
    static String label(EvictionAnswer answer) {
        return switch (answer) {
            case EvictionAnswer.Evicted _ -> "Evicted";
            case EvictionAnswer.Gone _ -> "Gone";
            case EvictionAnswer.NamespaceTerminating _ -> Reason.NAMESPACE_TERMINATING.label();
            case EvictionAnswer.NotSent _ -> "NotSent";
            case EvictionAnswer.Conflict _ -> Reason.CONFLICT.label();
            case EvictionAnswer.OutOfBudget _ -> Reason.DISRUPTION_BUDGET.label();
            case EvictionAnswer.SeveralBudgets _ -> Reason.SEVERAL_BUDGETS.label();
            case EvictionAnswer.Throttled _ -> Reason.THROTTLED.label();
            case EvictionAnswer.RefusedByAdmission _ -> Reason.REFUSED_BY_ADMISSION.label();
            case EvictionAnswer.DryRunUnsupported _ -> Reason.DRY_RUN_UNSUPPORTED.label();
            case EvictionAnswer.Forbidden _ -> Reason.FORBIDDEN.label();
            case EvictionAnswer.Failed _ -> Reason.API_ERROR.label();
            case EvictionAnswer.Unknown _ -> Reason.OUTCOME_UNKNOWN.label();
        };
    }
}
