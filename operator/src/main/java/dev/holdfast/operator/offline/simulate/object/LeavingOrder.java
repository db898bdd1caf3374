package dev.holdfast.operator.offline.simulate.object;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * The order in which the ReplicaSet controller ends pods: those without a node first, then those that are not Ready,
 * those that share their node with most others of the workload, and the newest. The annotation
 * {@code pod-deletion-cost} is not read.
 */
public final class LeavingOrder {
    private LeavingOrder() {}

    /**
     * {@return the pods in this order; in a cluster random UIDs decide between equal ones, and here a checksum}
     *
     * @param workload all pods of the workload
     */
    public static List<Pod> of(List<Pod> pods, List<Pod> workload) {
        return sorted(pods, workload, Comparator.comparingLong(LeavingOrder::scattered));
    }

    /** {@return the pods in this order; of equal ones, the last by name goes first} */
    public static List<Pod> byName(List<Pod> pods) {
        return sorted(
                pods, pods, Comparator.comparing((Pod pod) -> pod.name().name()).reversed());
    }

    /** {@return the pods on a node by name: they leave it in this order, whatever the order of a file is} */
    public static List<Pod> podsOn(String node, ClusterView cluster) {
        return cluster.podsOn(node).stream()
                .sorted(Comparator.comparing(Pod::namespace)
                        .thenComparing(pod -> pod.name().name()))
                .toList();
    }

    private static List<Pod> sorted(List<Pod> pods, List<Pod> workload, Comparator<Pod> equal) {
        Map<String, Long> onNode = workload.stream()
                .flatMap(pod -> pod.nodeName().stream())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return pods.stream()
                .sorted(Comparator.comparing((Pod pod) -> pod.nodeName().isPresent())
                        .thenComparing(Pod::ready)
                        .thenComparingLong(
                                pod -> -onNode.getOrDefault(pod.nodeName().orElse(""), 0L))
                        .thenComparing(pod -> pod.life().creationTime(), Comparator.reverseOrder())
                        .thenComparing(equal))
                .toList();
    }

    private static long scattered(Pod pod) {
        CRC32 sum = new CRC32();
        sum.update(pod.uid().getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }
}
