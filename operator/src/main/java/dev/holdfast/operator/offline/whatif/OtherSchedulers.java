package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VictimProtection;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Moved pods of other schedulers, which the simulation places as by the scheduler of Kubernetes. */
public final class OtherSchedulers {
    private OtherSchedulers() {}

    /**
     * {@return a warning if the report places pods whose scheduler may place them elsewhere, or not at all}
     *
     * @param cluster the objects before the change
     */
    public static Optional<String> warning(WhatIfReport report, Collection<ClusterEvent> cluster) {
        Set<NamespacedName> moved = Stream.concat(
                        report.evictions().stream().map(it -> new NamespacedName(it.namespace(), it.pod())),
                        report.displaced().stream().map(it -> new NamespacedName(it.namespace(), it.pod())))
                .collect(Collectors.toSet());
        List<Pod> others = cluster.stream()
                .flatMap(object -> object instanceof ClusterEvent.PodChanged(Pod pod) ? Stream.of(pod) : Stream.empty())
                .filter(pod -> moved.contains(pod.name()))
                .filter(pod -> !pod.victimProtection().schedulerName().equals(VictimProtection.DEFAULT_SCHEDULER))
                .sorted(Comparator.comparing(pod -> pod.name().toString()))
                .toList();
        return others.stream()
                .findFirst()
                .map(first -> "new pods are placed as by " + VictimProtection.DEFAULT_SCHEDULER + ", and "
                        + Count.of(others.size(), "pod") + " with another scheduler would move, for example "
                        + first.name() + " of " + first.victimProtection().schedulerName());
    }
}
