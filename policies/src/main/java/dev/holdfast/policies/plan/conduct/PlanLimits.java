package dev.holdfast.policies.plan.conduct;

import java.util.Set;

/**
 * How far evictions may go now, whatever the state of the cluster.
 *
 * @param limits of the operator
 * @param protectedNamespaces pods in them are never victims
 * @param windowCache which windows of policies are open
 */
public record PlanLimits(Limits limits, Set<String> protectedNamespaces, WindowCache windowCache) {}
