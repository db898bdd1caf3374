package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.plan.controls.PolicyLimits.HourlyWorkloadLimit;

/**
 * The limits in effect for one policy: in each case the lower one of its own and the operator's.
 *
 * @param concurrent the maximum number of moves in flight for the policy
 * @param perHour the maximum number of evictions for the policy within an hour
 * @param minReplicas how many other pods of a workload must stay Ready when one of its pods moves
 * @param workloadConcurrent the maximum number of moves in flight of one workload
 * @param workloadPerHour the maximum number of evictions of one workload within an hour
 * @param maxUnavailable how many pods of a workload may be missing or not Ready when one of its pods is moved
 */
public record EffectiveLimits(
        int concurrent,
        int perHour,
        int minReplicas,
        int workloadConcurrent,
        HourlyWorkloadLimit workloadPerHour,
        MaxUnavailable maxUnavailable) {}
