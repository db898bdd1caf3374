package dev.holdfast.policies.plan.controls;

import java.util.OptionalLong;

/** How many pods of a workload may be missing or not Ready when one of its pods is moved. */
public sealed interface MaxUnavailable {
    /** There is no limit. */
    record Unlimited() implements MaxUnavailable {}

    /** A number of pods, regardless of the workload's size. */
    record Pods(int number) implements MaxUnavailable {}

    /** A percentage of the desired pods, rounded up. For example, 10 % of 1 to 10 pods are 1 pod. */
    record Percent(int percent) implements MaxUnavailable {}

    /**
     * {@return whether there may be a workload, of whatever size, for which this allows an eviction that the other does
     * not}
     */
    default boolean isWiderThan(MaxUnavailable other) {
        return !equals(other) && !(other instanceof Unlimited) && !isNarrowerAlike(other);
    }

    private boolean isNarrowerAlike(MaxUnavailable other) {
        return switch (this) {
            case Unlimited _ -> false;
            case Pods(int number) -> other instanceof Pods(int before) && number < before;
            case Percent(int percent) -> other instanceof Percent(int before) && percent < before;
        };
    }

    /** {@return the limit for a workload with this number of desired pods; empty if there is no limit} */
    default OptionalLong of(long desired) {
        return switch (this) {
            case Unlimited _ -> OptionalLong.empty();
            case Pods(int number) -> OptionalLong.of(number);
            case Percent(int percent) -> OptionalLong.of(Math.ceilDiv(desired * percent, 100));
        };
    }
}
