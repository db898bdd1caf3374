package dev.holdfast.policies.plan.conduct;

import java.util.OptionalInt;

/**
 * The limits of one policy, which apply in addition to the operator's limits.
 *
 * @param concurrent the most evictions in flight; absent is no further limit
 * @param perHour the most evictions within an hour; absent is no further limit
 * @param minReplicas how many other pods of a workload must stay Ready when one of its pods moves
 * @param workloadConcurrent the most evictions in flight of one workload; absent is no further limit
 * @param workloadPerHour the most evictions of one workload within an hour
 */
public record PolicyLimits(
        OptionalInt concurrent,
        OptionalInt perHour,
        int minReplicas,
        OptionalInt workloadConcurrent,
        Share workloadPerHour) {
    private static final PolicyLimits NONE =
            new PolicyLimits(OptionalInt.empty(), OptionalInt.empty(), 0, OptionalInt.empty(), new Share.Unlimited());

    /** {@return no limits in addition to the operator's} */
    public static PolicyLimits none() {
        return NONE;
    }

    /** {@return whether they allow any eviction} */
    public boolean allowAny() {
        return concurrent.orElse(1) > 0 && perHour.orElse(1) > 0 && allowAnyOfWorkloads();
    }

    /** {@return whether they allow the eviction of any pod that belongs to a workload} */
    public boolean allowAnyOfWorkloads() {
        return workloadConcurrent.orElse(1) > 0 && workloadPerHour.of(1).orElse(1) > 0;
    }

    /** A limit on the pods of a workload, as a number or a percentage. */
    public sealed interface Share {
        /** No further limit. */
        record Unlimited() implements Share {}

        /** A number of pods, regardless of the workload's size. */
        record Pods(int number) implements Share {}

        /** A percentage of the workload's pods, rounded down, but at least one pod unless the percentage is 0. */
        record Percent(int percent) implements Share {}

        /** {@return the limit for a workload with this many pods; empty if none exists} */
        default OptionalInt of(int pods) {
            return switch (this) {
                case Unlimited _ -> OptionalInt.empty();
                case Pods(int number) -> OptionalInt.of(number);
                case Percent(int percent) -> OptionalInt.of(percent == 0 ? 0 : Math.max(1, pods * percent / 100));
            };
        }
    }
}
