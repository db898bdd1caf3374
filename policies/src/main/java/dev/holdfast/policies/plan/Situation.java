package dev.holdfast.policies.plan;

import dev.holdfast.policies.model.ClusterView;
import java.time.Instant;
import java.util.Set;

/**
 * What a candidate is held against.
 *
 * @param moves those in flight and those remembered, the ones chosen earlier in the same plan included
 * @param protectedNamespaces pods in them are never victims
 */
public record Situation(ClusterView view, Moves moves, Limits limits, Set<String> protectedNamespaces, Instant now) {}
