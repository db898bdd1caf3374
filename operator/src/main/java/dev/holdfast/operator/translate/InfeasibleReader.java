package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.choice.WhenInfeasible;
import dev.holdfast.operator.config.MaxDuration;
import dev.holdfast.policies.rule.RuleKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code whenInfeasible} and {@code infeasibleEvictAfterSeconds}: what to do with a due violation while no other
 * node would take the pod.
 */
final class InfeasibleReader {
    private InfeasibleReader() {}

    /**
     * Reads {@code whenInfeasible} and {@code infeasibleEvictAfterSeconds} of a rule; records an error for each invalid
     * value. Returns WAIT for an unknown value.
     *
     * @param written the value of {@code whenInfeasible}
     * @param seconds the value of {@code infeasibleEvictAfterSeconds}; {@code null} if absent
     * @param rule the path of the rule
     */
    static dev.holdfast.policies.rule.WhenInfeasible read(
            WhenInfeasible written, @Nullable Integer seconds, RuleKind kind, FieldPath rule) {
        FieldPath fieldPath = rule.field("whenInfeasible");
        if (kind == RuleKind.TOPOLOGY_SPREAD && written != WhenInfeasible.WAIT) {
            fieldPath.refuse("must be 'Wait' for topology spread");
        }
        FieldPath after = rule.field("infeasibleEvictAfterSeconds");
        if ((written == WhenInfeasible.EVICT_AFTER) != (seconds != null)) {
            after.refuse("must be given when `whenInfeasible` is 'EvictAfter', and only then");
        } else if (seconds != null && (seconds < 1 || seconds > MaxDuration.SECONDS)) {
            after.refuse("must be 1 to " + MaxDuration.SECONDS + " (a week), got " + seconds);
        }
        return switch (written) {
            case WAIT -> dev.holdfast.policies.rule.WhenInfeasible.WAIT;
            case EVICT -> dev.holdfast.policies.rule.WhenInfeasible.EVICT;
            case EVICT_AFTER ->
                seconds == null
                        ? dev.holdfast.policies.rule.WhenInfeasible.WAIT
                        : dev.holdfast.policies.rule.WhenInfeasible.evictAfter(Duration.ofSeconds(seconds));
            case UNRECOGNIZED -> {
                fieldPath.unknown("must be Wait, Evict or EvictAfter; this version of Holdfast knows no other");
                yield dev.holdfast.policies.rule.WhenInfeasible.WAIT;
            }
        };
    }
}
