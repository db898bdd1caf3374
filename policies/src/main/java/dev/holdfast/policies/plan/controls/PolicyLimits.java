package dev.holdfast.policies.plan.controls;

import java.util.OptionalInt;

/**
 * The limits of one policy, which apply in addition to the operator's limits.
 *
 * @param concurrent the maximum number of moves in flight for the policy; absent means no further limit
 * @param perHour the maximum number of evictions for the policy within an hour; absent means no further limit
 * @param minReplicas how many other pods of a workload must stay Ready when one of its pods moves
 * @param workloadConcurrent the maximum number of moves in flight of one workload; absent means no further limit
 * @param workloadPerHour the maximum number of evictions of one workload within an hour
 * @param maxUnavailable how many pods of a workload may be missing or not Ready when one of its pods is moved
 */
public record PolicyLimits(
        OptionalInt concurrent,
        OptionalInt perHour,
        int minReplicas,
        OptionalInt workloadConcurrent,
        HourlyWorkloadLimit workloadPerHour,
        MaxUnavailable maxUnavailable) {
    private static final PolicyLimits NONE = new PolicyLimits(
            OptionalInt.empty(),
            OptionalInt.empty(),
            0,
            OptionalInt.empty(),
            new HourlyWorkloadLimit.Unlimited(),
            new MaxUnavailable.Unlimited());

    /** {@return limits that restrict nothing, so that only the operator's limits apply} */
    public static PolicyLimits none() {
        return NONE;
    }

    /** {@return the limits in effect for the policy: in each case the lower one of its own and the operator's} */
    public EffectiveLimits atMost(OperatorLimits operator) {
        return new EffectiveLimits(
                lower(concurrent, operator.cluster()),
                lower(perHour, operator.perHour()),
                minReplicas,
                lower(workloadConcurrent, operator.perWorkload()),
                workloadPerHour,
                maxUnavailable);
    }

    private static int lower(OptionalInt own, int operator) {
        return Math.min(own.orElse(operator), operator);
    }

    /**
     * {@return whether these limits ever allow an eviction: false if one of them is 0} {@code minReplicas} is ignored
     * here, because 0 restricts nothing there.
     */
    public boolean allowAny() {
        return concurrent.orElse(1) > 0 && perHour.orElse(1) > 0 && allowAnyOfWorkloads();
    }

    /** {@return whether {@code workloadConcurrent} and {@code workloadPerHour} ever allow an eviction: neither is 0} */
    public boolean allowAnyOfWorkloads() {
        return workloadConcurrent.orElse(1) > 0 && workloadPerHour.of(1).orElse(1) > 0;
    }

    /** How many pods of one workload may be evicted within an hour, as a number or as a percentage of its pods. */
    public sealed interface HourlyWorkloadLimit {
        /** There is no further limit. */
        record Unlimited() implements HourlyWorkloadLimit {}

        /** A number of pods, regardless of the workload's size. */
        record Pods(int number) implements HourlyWorkloadLimit {}

        /** A percentage of the workload's pods, rounded down, but at least one pod unless the percentage is 0. */
        record Percent(int percent) implements HourlyWorkloadLimit {}

        /** {@return the limit for a workload with this number of pods; empty if there is no limit} */
        default OptionalInt of(int pods) {
            return switch (this) {
                case Unlimited _ -> OptionalInt.empty();
                case Pods(int number) -> OptionalInt.of(number);
                case Percent(int percent) -> OptionalInt.of(percent == 0 ? 0 : Math.max(1, pods * percent / 100));
            };
        }
    }
}
