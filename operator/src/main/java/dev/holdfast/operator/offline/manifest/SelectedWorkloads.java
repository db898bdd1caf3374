package dev.holdfast.operator.offline.manifest;

import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The workloads of a namespace that have pods with some labels.
 *
 * @param kind the kind of the workloads; empty for Deployments, StatefulSets and ReplicaSets without a Deployment
 * @param selector as the user wrote it, for messages
 */
public record SelectedWorkloads(Optional<String> kind, String namespace, String selector, Predicate<Labels> labels) {
    private static final Set<String> SCALABLE = Set.of("Deployment", "ReplicaSet", "StatefulSet");

    /**
     * {@return the changes that scale these workloads, by kind and name}
     *
     * @throws DumpException if there is no such workload
     */
    public List<Change.Scale> scaled(Collection<ClusterEvent> cluster, int replicas) throws DumpException {
        Map<String, Controller> controllers = new HashMap<>();
        for (ClusterEvent event : cluster) {
            if (event instanceof ClusterEvent.OwnerChanged(Owner owner)) {
                owner.controller().ifPresent(above -> controllers.put(owner.uid(), above));
            }
        }
        Map<String, Change.Scale> scaled = new TreeMap<>();
        for (ClusterEvent event : cluster) {
            if (event instanceof ClusterEvent.PodChanged(Pod pod) && isSelected(pod)) {
                pod.victimProtection()
                        .controller()
                        .map(direct -> controllers.getOrDefault(direct.uid(), direct))
                        .filter(it -> kind.map(it.kind()::equals).orElse(SCALABLE.contains(it.kind())))
                        .ifPresent(it -> scaled.put(
                                it.kind() + "/" + it.name(),
                                new Change.Scale(it.kind(), new NamespacedName(namespace, it.name()), replicas)));
            }
        }
        if (scaled.isEmpty()) {
            throw new DumpException("there is no " + kind.orElse("Deployment, ReplicaSet or StatefulSet")
                    + " with pods of labels " + selector + " in namespace " + namespace);
        }
        return List.copyOf(scaled.values());
    }

    private boolean isSelected(Pod pod) {
        return pod.namespace().equals(namespace) && !pod.finished() && labels.test(pod.labels());
    }
}
