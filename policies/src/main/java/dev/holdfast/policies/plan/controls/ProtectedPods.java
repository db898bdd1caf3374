package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.model.VictimProtection;
import java.util.HashSet;
import java.util.Set;

/**
 * Which pods the operator's configuration protects from eviction.
 *
 * @param namespaces namespaces whose pods are never evicted
 * @param schedulerNames the schedulers whose pods may be evicted: those that place pods by the rules that Holdfast
 *     knows
 */
public record ProtectedPods(Set<String> namespaces, Set<String> schedulerNames) {
    public ProtectedPods {
        namespaces = Set.copyOf(namespaces);
        schedulerNames = Set.copyOf(schedulerNames);
    }

    /** {@return the protection of these namespaces, and of pods that Kubernetes' own scheduler does not place} */
    public static ProtectedPods in(Set<String> namespaces) {
        return new ProtectedPods(namespaces, Set.of(VictimProtection.DEFAULT_SCHEDULER));
    }

    /** {@return the same protection, also of the pods in these namespaces} */
    public ProtectedPods alsoIn(Set<String> more) {
        Set<String> all = new HashSet<>(namespaces);
        all.addAll(more);
        return new ProtectedPods(all, schedulerNames);
    }
}
