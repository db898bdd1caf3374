package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.loss.ReadyPods;
import dev.holdfast.operator.offline.loss.WorkloadLoss;
import dev.holdfast.operator.offline.rollout.RollOut;
import dev.holdfast.operator.offline.rollout.RollOutsAtEnd;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.Displaced;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.policies.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What became of pods by the end of a simulation.
 *
 * @param displaced those that the changes or an outage of the input removed
 * @param created those that the changes created
 * @param stuck those that are missing, without a node, on nodes that are drained, or lost on nodes that failed
 * @param waitedBefore those that had no node before the changes
 * @param losses the workloads of which fewer are Ready than before the changes, for a time or at the end
 * @param rollOuts the roll-outs that the changes began
 */
record PodsAtEnd(
        List<WhatIfReport.Displaced> displaced,
        List<WhatIfReport.Created> created,
        List<WhatIfReport.Stuck> stuck,
        List<WhatIfReport.PendingPod> waitedBefore,
        List<WorkloadLoss> losses,
        List<RollOut> rollOuts) {
    /**
     * {@return what became of pods}
     *
     * @param before why pods had no node before the changes
     * @param ready the pods that were Ready before the changes, and their number since
     */
    static PodsAtEnd of(Simulation simulation, Map<Pod, Waiting> before, ReadyPods ready, List<Change> changes) {
        Map<Pod, Waiting> waiting = simulation.waiting();
        return new PodsAtEnd(
                simulation.displaced().stream()
                        .map(displaced -> displaced(simulation, displaced))
                        .toList(),
                simulation.created().stream()
                        .map(pod -> new WhatIfReport.Created(
                                seconds(simulation, pod.life().creationTime()),
                                pod.namespace(),
                                pod.name().name(),
                                simulation
                                        .cluster()
                                        .pod(pod.uid())
                                        .flatMap(Pod::nodeName)
                                        .orElse(""),
                                ReadyPods.workload(pod, simulation.cluster())))
                        .toList(),
                stuck(simulation, waiting),
                pending(simulation, before, waiting),
                ready.losses(),
                RollOutsAtEnd.of(simulation, changes));
    }

    /**
     * {@return what becomes of the pods that waited before}
     *
     * @param without the end of a simulation that begins with the same pods, without the changes
     */
    WhatIfReport.Pending pending(PodsAtEnd without) {
        Map<String, WhatIfReport.PendingPod> byUid =
                without.waitedBefore.stream().collect(Collectors.toMap(WhatIfReport.PendingPod::uid, it -> it));
        return WhatIfReport.Pending.of(waitedBefore.stream()
                .map(pod -> pod.comparedTo(Objects.requireNonNull(byUid.get(pod.uid()))))
                .toList());
    }

    /**
     * {@return the pods that the changes removed} An outage of the input removes others, at the same time anyway.
     *
     * @param without as for {@link #pending}
     */
    List<WhatIfReport.Displaced> displacedBy(PodsAtEnd without) {
        Set<List<Object>> anyway =
                without.displaced.stream().map(PodsAtEnd::removal).collect(Collectors.toSet());
        return displaced.stream().filter(pod -> !anyway.contains(removal(pod))).toList();
    }

    private static List<Object> removal(WhatIfReport.Displaced displaced) {
        return List.of(displaced.seconds(), displaced.namespace(), displaced.pod(), displaced.fromNode());
    }

    private static WhatIfReport.Displaced displaced(Simulation simulation, Displaced displaced) {
        Optional<Pod> replacement = displaced.replacementUid().flatMap(simulation.cluster()::pod);
        return new WhatIfReport.Displaced(
                seconds(simulation, displaced.at()),
                displaced.pod().namespace(),
                displaced.pod().name().name(),
                displaced.pod().nodeName().orElse(""),
                replacement.map(pod -> pod.name().name()).orElse(""),
                replacement.flatMap(Pod::nodeName).orElse(""),
                ReadyPods.workload(displaced.pod(), simulation.cluster()));
    }

    private static List<WhatIfReport.Stuck> stuck(Simulation simulation, Map<Pod, Waiting> waiting) {
        // A pod may be on a node that has failed and is drained.
        Map<String, WhatIfReport.Stuck> byUid = new LinkedHashMap<>();
        simulation
                .failures()
                .reasons(simulation.failures().lost())
                .forEach((pod, why) -> byUid.put(pod.uid(), stuck(simulation, pod, why)));
        simulation.undrained().forEach((pod, why) -> byUid.putIfAbsent(pod.uid(), stuck(simulation, pod, why)));
        simulation.missing().forEach((pod, why) -> byUid.put(pod.uid(), stuck(simulation, pod, why)));
        waiting.forEach((pod, why) -> byUid.put(pod.uid(), stuck(simulation, pod, why.why())));
        List<WhatIfReport.Stuck> stuck = new ArrayList<>(byUid.values());
        stuck.sort(Comparator.comparing(WhatIfReport.Stuck::namespace).thenComparing(WhatIfReport.Stuck::pod));
        return stuck;
    }

    private static WhatIfReport.Stuck stuck(Simulation simulation, Pod pod, String why) {
        return new WhatIfReport.Stuck(
                pod.namespace(),
                pod.name().name(),
                pod.nodeName().orElse(""),
                why,
                ReadyPods.workload(pod, simulation.cluster()));
    }

    private static List<WhatIfReport.PendingPod> pending(
            Simulation simulation, Map<Pod, Waiting> before, Map<Pod, Waiting> waiting) {
        Map<String, Waiting> byUid = new HashMap<>();
        waiting.forEach((pod, why) -> byUid.put(pod.uid(), why));
        return before.keySet().stream()
                .map(pod -> pending(
                        pod,
                        simulation.cluster().pod(pod.uid()).flatMap(Pod::nodeName),
                        Optional.ofNullable(byUid.get(pod.uid()))))
                .toList();
    }

    private static WhatIfReport.PendingPod pending(Pod pod, Optional<String> node, Optional<Waiting> waiting) {
        String ended = node.isPresent() ? WhatIfReport.PendingPod.BOUND : WhatIfReport.PendingPod.GONE;
        return new WhatIfReport.PendingPod(
                pod.namespace(),
                pod.name().name(),
                pod.uid(),
                node.orElse(""),
                waiting.map(it -> it.state().label()).orElse(ended),
                waiting.map(Waiting::why).orElse(""),
                false);
    }

    private static long seconds(Simulation simulation, Instant at) {
        return Duration.between(simulation.start(), at).toSeconds();
    }
}
