package dev.holdfast.policies.plan.conduct;

import java.util.Set;

/**
 * How far evictions may go now, whatever the state of the cluster.
 *
 * @param limits of the operator
 * @param protectedNamespaces pods in them are never victims
 * @param openings which windows of policies are open
 */
public record Bounds(Limits limits, Set<String> protectedNamespaces, Openings openings) {}
