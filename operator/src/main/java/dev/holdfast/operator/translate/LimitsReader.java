package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.WorkloadLimits;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.controls.PolicyLimits.HourlyWorkloadLimit;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code limits}: how many pods a policy may evict, in total and of each workload. */
final class LimitsReader {
    private static final int MOST_AT_ONCE = 1_000;
    private static final int MOST_IN_AN_HOUR = 10_000;
    private static final int MIN_REPLICAS = 1;
    private static final MaxUnavailable MAX_UNAVAILABLE = new MaxUnavailable.Percent(10);
    private static final Pattern PERCENT = Pattern.compile("(100|[1-9]?[0-9])%");

    private LimitsReader() {}

    static PolicyLimits read(dev.holdfast.crds.v1alpha1.@Nullable PolicyLimits written, FieldPath fieldPath) {
        if (written == null) {
            return new PolicyLimits(
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    MIN_REPLICAS,
                    OptionalInt.empty(),
                    new HourlyWorkloadLimit.Unlimited(),
                    MAX_UNAVAILABLE);
        }
        fieldPath.unknownFields(written.unknownFields().keySet());
        WorkloadLimits workload = written.perWorkload();
        FieldPath perWorkload = fieldPath.field("perWorkload");
        if (workload != null) {
            perWorkload.unknownFields(workload.unknownFields().keySet());
        }
        return new PolicyLimits(
                number(written.maxConcurrentEvictions(), MOST_AT_ONCE, fieldPath.field("maxConcurrentEvictions")),
                number(written.maxEvictionsPerHour(), MOST_IN_AN_HOUR, fieldPath.field("maxEvictionsPerHour")),
                number(written.minReplicas(), MOST_AT_ONCE, fieldPath.field("minReplicas"))
                        .orElse(MIN_REPLICAS),
                workload == null
                        ? OptionalInt.empty()
                        : number(
                                workload.maxConcurrentEvictions(),
                                MOST_AT_ONCE,
                                perWorkload.field("maxConcurrentEvictions")),
                workload == null
                        ? new HourlyWorkloadLimit.Unlimited()
                        : share(workload.maxEvictionsPerHour(), perWorkload.field("maxEvictionsPerHour")),
                maxUnavailable(written.maxUnavailable(), fieldPath.field("maxUnavailable")));
    }

    private static MaxUnavailable maxUnavailable(@Nullable IntOrString written, FieldPath fieldPath) {
        return switch (share(written, fieldPath)) {
            case HourlyWorkloadLimit.Unlimited _ -> MAX_UNAVAILABLE;
            case HourlyWorkloadLimit.Pods(int number) -> new MaxUnavailable.Pods(number);
            case HourlyWorkloadLimit.Percent(int percent) -> new MaxUnavailable.Percent(percent);
        };
    }

    private static OptionalInt number(@Nullable Integer written, int most, FieldPath fieldPath) {
        if (written == null) {
            return OptionalInt.empty();
        }
        if (written < 0 || written > most) {
            fieldPath.refuse("must be 0 to " + most + ", got " + written);
        }
        return OptionalInt.of(written);
    }

    private static HourlyWorkloadLimit share(@Nullable IntOrString written, FieldPath fieldPath) {
        if (written == null) {
            return new HourlyWorkloadLimit.Unlimited();
        }
        if (written.getIntVal() != null) {
            return new HourlyWorkloadLimit.Pods(
                    number(written.getIntVal(), MOST_IN_AN_HOUR, fieldPath).orElse(0));
        }
        Matcher percent = PERCENT.matcher(written.getStrVal());
        if (!percent.matches()) {
            fieldPath.refuse("must be a number from 0 to " + MOST_IN_AN_HOUR
                    + " or a percentage from \"0%\" to \"100%\", got '" + QuotedText.of(written.getStrVal()) + "'");
            return new HourlyWorkloadLimit.Pods(0);
        }
        return new HourlyWorkloadLimit.Percent(Integer.parseInt(percent.group(1)));
    }
}
