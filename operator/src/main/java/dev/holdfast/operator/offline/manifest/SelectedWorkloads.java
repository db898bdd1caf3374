package dev.holdfast.operator.offline.manifest;

import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.print.Count;
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
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The workloads of a namespace that have pods with some labels.
 *
 * @param kind the kind of the workloads; empty for Deployments, StatefulSets and ReplicaSets without a Deployment
 * @param selector as the user wrote it, for messages
 */
public record SelectedWorkloads(Optional<String> kind, String namespace, String selector, Predicate<Labels> labels) {
    private static final Set<String> SCALABLE = Set.of("Deployment", "ReplicaSet", "StatefulSet");
    private static final String ANY_KIND = "Deployment, ReplicaSet or StatefulSet";
    private static final int MOST_NAMED = 5;

    /**
     * {@return the changes that scale these workloads, by kind and name}
     *
     * @param warn gets which selected pods are of workloads that cannot be scaled, as a sentence
     * @throws DumpException if there is no such workload
     */
    public List<Change.Scale> scaled(Collection<ClusterEvent> cluster, int replicas, Consumer<String> warn)
            throws DumpException {
        Map<String, Controller> deployments = new HashMap<>();
        for (ClusterEvent event : cluster) {
            if (event instanceof ClusterEvent.OwnerChanged(Owner owner)
                    && owner.kind().equals("ReplicaSet")) {
                owner.controller()
                        .filter(above -> above.kind().equals("Deployment"))
                        .ifPresent(above -> deployments.put(owner.uid(), above));
            }
        }
        Map<String, Change.Scale> scaled = new TreeMap<>();
        SortedSet<String> left = new TreeSet<>();
        for (ClusterEvent event : cluster) {
            if (event instanceof ClusterEvent.PodChanged(Pod pod) && isSelected(pod)) {
                pod.victimProtection()
                        .controller()
                        .map(direct -> deployments.getOrDefault(direct.uid(), direct))
                        .filter(it -> SCALABLE.contains(it.kind()))
                        .ifPresentOrElse(
                                it -> scaled.put(
                                        it.kind() + "/" + it.name(),
                                        new Change.Scale(
                                                it.kind(), new NamespacedName(namespace, it.name()), replicas)),
                                () -> left.add(pod.name().toString()));
            }
        }
        scaled.values()
                .removeIf(it -> kind.filter(other -> !other.equals(it.kind())).isPresent());
        if (scaled.isEmpty()) {
            throw new DumpException("there is no " + kind.orElse(ANY_KIND) + " with pods of labels " + selector
                    + " in namespace " + namespace);
        }
        if (kind.isEmpty() && !left.isEmpty()) {
            warn.accept(notScaled(left));
        }
        return List.copyOf(scaled.values());
    }

    private String notScaled(SortedSet<String> pods) {
        String others = pods.size() > MOST_NAMED ? " and " + (pods.size() - MOST_NAMED) + " more" : "";
        return "--scale -l " + selector + " leaves " + Count.of(pods.size(), "pod") + " as "
                + (pods.size() == 1 ? "it is" : "they are") + ", because no " + ANY_KIND + " has "
                + (pods.size() == 1 ? "it" : "them") + ": "
                + pods.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")) + others;
    }

    private boolean isSelected(Pod pod) {
        return pod.namespace().equals(namespace) && !pod.finished() && labels.test(pod.labels());
    }
}
