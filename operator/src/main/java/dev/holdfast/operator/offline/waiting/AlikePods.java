package dev.holdfast.operator.offline.waiting;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodScheduler;
import dev.holdfast.policies.model.Scheduling;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Which nodes take a pod, and why, depends on nothing else of the pod. */
    private record Alike(
            String namespace,
            Labels labels,
            Scheduling scheduling,
            PodRequirements requirements,
            PodScheduler scheduler,
            Optional<Controller> controller) {
        static Alike of(Pod pod) {
            return new Alike(
                    pod.namespace(),
                    pod.labels(),
                    pod.scheduling(),
                    pod.podRequirements(),
                    pod.victimProtection().scheduler(),
                    pod.victimProtection().controller());
        }
    }

    /**
     * {@return the pods that wait for a node, by namespace and name, and why each does} If too many of them are unlike
     * each other, the last ones are {@link Waiting.State#NOT_CHECKED}.
     *
     * @param nodes how many nodes there are
     * @param why says why one pod has no node
     */
    public static Map<Pod, Waiting> why(Collection<Pod> pods, int nodes, Function<Pod, Waiting> why) {
        long most = mostAsked(nodes);
        Map<Alike, Waiting> known = new HashMap<>();
        Map<Pod, Waiting> all = new LinkedHashMap<>();
        for (Pod pod : waiting(pods)) {
            Alike alike = Alike.of(pod);
            if (known.size() < most || known.containsKey(alike)) {
                all.put(pod, known.computeIfAbsent(alike, _ -> why.apply(pod)));
            } else {
                all.put(pod, Waiting.NOT_CHECKED);
            }
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
