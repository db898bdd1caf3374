package dev.holdfast.operator.offline.waiting;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodScheduler;
import dev.holdfast.policies.model.Scheduling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Asks once for pods that wait for a node and are alike, as the pods of a ReplicaSet are. A cluster may have 10,000
 * such pods and 5,000 nodes.
 */
public final class AlikePods {
    /** The maximum number of pairs of a node and a pod about which is asked, which takes a few seconds. */
    private static final long MOST_PAIRS = 1_000_000;

    private AlikePods() {}

    /** {@return about how many pods a command asks each node, at most} */
    public static long mostAsked(int nodes) {
        return MOST_PAIRS / Math.max(1, nodes);
    }

    /**
     * Which nodes take a pod, and why, depends on nothing else of the pod.
     *
     * @param labels those that a rule reads
     */
    private record Alike(
            String namespace,
            Optional<Controller> controller,
            Labels labels,
            Scheduling scheduling,
            PodRequirements requirements,
            PodScheduler scheduler) {
        static Alike of(Pod pod, ReadLabels labels) {
            return new Alike(
                    pod.namespace(),
                    pod.victimProtection().controller(),
                    labels.of(pod),
                    pod.scheduling(),
                    pod.podRequirements(),
                    pod.victimProtection().scheduler());
        }
    }

    /**
     * {@return the pods that wait for a node, by namespace and name, and why each does} If too many of them are unlike
     * each other, each namespace has the same share, and in it each workload. The other pods are
     * {@link Waiting.State#NOT_CHECKED}.
     *
     * @param why says why one pod has no node
     */
    public static Map<Pod, Waiting> why(Collection<Pod> pods, ClusterView cluster, Function<Pod, Waiting> why) {
        ReadLabels labels = ReadLabels.of(cluster.pods());
        Map<Pod, Alike> waiting = new LinkedHashMap<>();
        waiting(pods).forEach(pod -> waiting.put(pod, Alike.of(pod, labels)));
        Set<Alike> asked =
                Set.copyOf(shares(waiting.values(), mostAsked(cluster.nodes().size())));
        Map<Alike, Waiting> known = new HashMap<>();
        Map<Pod, Waiting> all = new LinkedHashMap<>();
        waiting.forEach((pod, alike) -> all.put(
                pod, asked.contains(alike) ? known.computeIfAbsent(alike, _ -> why.apply(pod)) : Waiting.NOT_CHECKED));
        return all;
    }

    /** {@return the different pods, at most this number: in turn one of each namespace, and there of each workload} */
    private static List<Alike> shares(Collection<Alike> all, long most) {
        Map<String, Map<Optional<Controller>, List<Alike>>> byWorkload = new LinkedHashMap<>();
        new LinkedHashSet<>(all)
                .forEach(alike -> byWorkload
                        .computeIfAbsent(alike.namespace(), _ -> new LinkedHashMap<>())
                        .computeIfAbsent(alike.controller(), _ -> new ArrayList<>())
                        .add(alike));
        return inTurn(byWorkload.values().stream()
                        .map(workloads -> inTurn(workloads.values()))
                        .toList())
                .stream()
                .limit(most)
                .toList();
    }

    private static <T> List<T> inTurn(Collection<List<T>> lists) {
        List<T> all = new ArrayList<>();
        List<Iterator<T>> rest = lists.stream().map(List::iterator).toList();
        while (!rest.isEmpty()) {
            rest.forEach(list -> all.add(list.next()));
            rest = rest.stream().filter(Iterator::hasNext).toList();
        }
        return all;
    }

    private static List<Pod> waiting(Collection<Pod> pods) {
        return pods.stream()
                .filter(Waiting::isTrueOf)
                .sorted(Comparator.comparing(Pod::namespace)
                        .thenComparing(pod -> pod.name().name()))
                .toList();
    }
}
