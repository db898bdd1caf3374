package dev.holdfast.operator.offline.check;

import dev.holdfast.operator.offline.waiting.AlikePods;
import dev.holdfast.operator.offline.waiting.WaitingReasons;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Finds the pods of a cluster that have no node, and why no node takes them. */
public final class PendingPods {
    private PendingPods() {}

    /**
     * {@return the pods without a node, by namespace and name} Finished pods and those that are being deleted wait for
     * no node.
     *
     * @param listed which pods are listed
     */
    public static List<CheckReport.PendingPod> of(CheckedCluster cluster, Predicate<Pod> listed) {
        WaitingReasons reasons = new WaitingReasons(cluster.view(), cluster.schedulerFilters());
        List<CheckReport.PendingPod> pending = new ArrayList<>();
        AlikePods.why(
                        cluster.pods().stream().filter(listed).toList(),
                        cluster.view(),
                        pod -> reasons.of(
                                pod,
                                cluster.attachLimits()
                                        .map(it -> it.of(pod, PendingMoves.NONE))
                                        .orElse(NodeRejection.NONE)))
                .forEach((pod, waiting) -> pending.add(new CheckReport.PendingPod(
                        pod.namespace(),
                        pod.name().name(),
                        pod.uid(),
                        waiting.state().label(),
                        waiting.why())));
        return pending;
    }
}
