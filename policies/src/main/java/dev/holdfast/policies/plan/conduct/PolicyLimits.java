package dev.holdfast.policies.plan.conduct;

import java.util.OptionalInt;

/**
 * How much one policy may evict, beside the limits of all.
 *
 * @param concurrent how many evictions in flight; absent is as many as the others allow
 * @param perHour how many evictions within any hour; absent is as many as the others allow
 * @param minReplicas how many other pods of a workload must stay ready when one of it is moved
 * @param workloadConcurrent how many evictions in flight of one workload; absent is as many as the others allow
 * @param workloadPerHour how many evictions of one workload within any hour
 */
public record PolicyLimits(
        OptionalInt concurrent,
        OptionalInt perHour,
        int minReplicas,
        OptionalInt workloadConcurrent,
        Share workloadPerHour) {
    private static final PolicyLimits NONE =
            new PolicyLimits(OptionalInt.empty(), OptionalInt.empty(), 0, OptionalInt.empty(), new Share.Unlimited());

    /** {@return no limits but those of all} */
    public static PolicyLimits none() {
        return NONE;
    }

    /** {@return whether they let any pod be moved} */
    public boolean allowAny() {
        return concurrent.orElse(1) > 0 && perHour.orElse(1) > 0 && allowAnyOfWorkloads();
    }

    /** {@return whether they let any pod be moved that belongs to a workload} */
    public boolean allowAnyOfWorkloads() {
        return workloadConcurrent.orElse(1) > 0 && workloadPerHour.of(1).orElse(1) > 0;
    }

    /** A number of a workload's pods. */
    public sealed interface Share {
        /** As many as the others allow. */
        record Unlimited() implements Share {}

        /** So many, however many pods there are. */
        record Pods(int number) implements Share {}

        /** So many of a hundred pods, rounded down, but one at least unless it is none. */
        record Percent(int percent) implements Share {}

        /** {@return how many of these pods it is} */
        default OptionalInt of(int pods) {
            return switch (this) {
                case Unlimited _ -> OptionalInt.empty();
                case Pods(int number) -> OptionalInt.of(number);
                case Percent(int percent) -> OptionalInt.of(percent == 0 ? 0 : Math.max(1, pods * percent / 100));
            };
        }
    }
}
