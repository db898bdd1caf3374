package dev.holdfast.policies.plan.conduct;

/**
 * The limits on evictions that do not depend on the state of the cluster.
 *
 * @param operatorLimits the operator's limits
 * @param protectedPods which pods are never evicted
 * @param windowCache the holds that the maintenance windows of each policy give at the time of the plan
 */
public record PlanLimits(OperatorLimits operatorLimits, ProtectedPods protectedPods, WindowCache windowCache) {}
