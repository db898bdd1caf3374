package dev.holdfast.policies.model;

/**
 * The scheduler of a pod, and what keeps the pod without a node although nodes would take it.
 *
 * @param name the scheduler that places the pod and its replacement, {@code spec.schedulerName}
 * @param gated whether the pod has scheduling gates, so that no scheduler places it before all are removed
 * @param nominatedNode the node on which the scheduler makes room for the pod by preemption; empty if there is none, or
 *     if the pod is bound
 */
public record PodScheduler(String name, boolean gated, String nominatedNode) {
    /** Kubernetes' own scheduler, of a pod that waits for nothing. */
    static final PodScheduler DEFAULT = new PodScheduler(VictimProtection.DEFAULT_SCHEDULER, false, "");
}
