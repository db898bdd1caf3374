package dev.holdfast.policies.engine.protocol.ledger;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import java.util.List;
import java.util.Set;

/**
 * Which pods the configuration of an operator kept from eviction, so that the next operator notices which pods lost
 * their protection. The configuration limits the length of each list.
 *
 * @param namespaces the namespaces whose pods were never evicted, in order
 * @param schedulerNames the schedulers whose pods might be evicted, in order
 * @param exemptNamespaces the namespaces whose pods broke no anti-affinity rule of others, in order
 */
public record RememberedProtection(
        List<String> namespaces, List<String> schedulerNames, List<String> exemptNamespaces) {
    public RememberedProtection {
        namespaces = List.copyOf(namespaces);
        schedulerNames = List.copyOf(schedulerNames);
        exemptNamespaces = List.copyOf(exemptNamespaces);
    }

    public static RememberedProtection of(ProtectedPods pods, Set<String> exemptNamespaces) {
        return new RememberedProtection(
                sorted(pods.namespaces()), sorted(pods.schedulerNames()), sorted(exemptNamespaces));
    }

    private static List<String> sorted(Set<String> names) {
        return names.stream().sorted().toList();
    }

    /** {@return the pods that were protected} */
    public ProtectedPods pods() {
        return new ProtectedPods(Set.copyOf(namespaces), Set.copyOf(schedulerNames));
    }

    /** {@return whether a pod broke no anti-affinity rule of other pods} */
    public boolean exempts(Pod pod) {
        return exemptNamespaces.contains(pod.namespace());
    }
}
