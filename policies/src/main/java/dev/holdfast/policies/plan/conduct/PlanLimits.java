package dev.holdfast.policies.plan.conduct;

import java.util.Set;

/**
 * The limits on evictions that do not depend on the state of the cluster.
 *
 * @param operatorLimits the operator's limits
 * @param protectedNamespaces namespaces whose pods are never evicted
 * @param windowCache the holds that the maintenance windows of each policy give at the time of the plan
 */
public record PlanLimits(OperatorLimits operatorLimits, Set<String> protectedNamespaces, WindowCache windowCache) {}
