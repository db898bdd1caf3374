package dev.holdfast.policies.plan.conduct;

import java.util.Set;

/**
 * The limits on evictions that do not depend on the state of the cluster.
 *
 * @param limits the operator's limits
 * @param protectedNamespaces namespaces whose pods are never victims
 * @param windowCache the holds by windows of policies
 */
public record PlanLimits(Limits limits, Set<String> protectedNamespaces, WindowCache windowCache) {}
