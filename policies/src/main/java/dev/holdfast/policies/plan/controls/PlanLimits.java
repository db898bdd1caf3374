package dev.holdfast.policies.plan.controls;

/**
 * The limits on evictions that do not depend on the state of the cluster.
 *
 * @param operatorLimits the operator's limits
 * @param protectedPods which pods are never evicted
 * @param wallClock the wall clock, which expiry times follow
 * @param windowCache the holds that the maintenance windows of each policy give at the time of the plan
 */
public record PlanLimits(
        OperatorLimits operatorLimits, ProtectedPods protectedPods, WallClock wallClock, WindowCache windowCache) {}
