package dev.holdfast.policies.engine;

import dev.holdfast.policies.plan.Limits;
import java.time.Duration;
import java.util.Set;

/**
 * What does not change while the engine runs.
 *
 * @param protectedNamespaces pods in them are never victims
 * @param exemptNamespaces pods in them are no partners in the verdict of anti-affinity
 * @param replacementTimeout how long a replacement may take to become ready
 */
public record EngineSettings(
        Limits limits, Set<String> protectedNamespaces, Set<String> exemptNamespaces, Duration replacementTimeout) {
    public EngineSettings {
        protectedNamespaces = Set.copyOf(protectedNamespaces);
        exemptNamespaces = Set.copyOf(exemptNamespaces);
    }
}
