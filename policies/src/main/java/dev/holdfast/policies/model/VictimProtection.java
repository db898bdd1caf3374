package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * The properties of a pod that may protect it from eviction.
 *
 * @param controller the controller that would replace the pod; absent for a bare pod
 * @param priority the pod's priority as a number, {@code spec.priority}; 2,000,000,000 and above is system-critical
 * @param mirror whether the pod is the mirror pod of a static pod
 * @param gangMember whether the pod belongs to a gang, a group of pods that are scheduled and deleted together
 * @param localStorage whether the pod has an emptyDir volume on its node's disk or an ephemeral volume, which are
 *     deleted with the pod, or mounts a hostPath for writing, whose files stay on the node
 * @param scheduler the scheduler that places the pod and its replacement
 * @param resourceClaims whether the pod has claims for devices (DRA)
 * @param evictionResponder whether {@code spec.evictionResponders} names a responder, which expects to be asked before
 *     the pod is evicted (Kubernetes 1.37)
 * @param securityLevel the strictest level of the Pod Security Standards that the pod satisfies
 * @param disruptionAnnotations the pod's annotations that restrict evictions
 */
public record VictimProtection(
        Optional<Controller> controller,
        int priority,
        RestartPolicy restartPolicy,
        boolean mirror,
        boolean gangMember,
        boolean localStorage,
        PodScheduler scheduler,
        boolean resourceClaims,
        boolean evictionResponder,
        PodSecurityLevel securityLevel,
        DisruptionAnnotations disruptionAnnotations) {
    /** The name of the scheduler of Kubernetes itself, which places pods that name no scheduler. */
    public static final String DEFAULT_SCHEDULER = "default-scheduler";

    /** The priority of {@code system-cluster-critical}. The priority of {@code system-node-critical} is higher. */
    private static final int SYSTEM_CRITICAL = 2_000_000_000;

    public VictimProtection {
        scheduler = scheduler.equals(PodScheduler.DEFAULT) ? PodScheduler.DEFAULT : scheduler;
    }

    /** Creates the properties of a pod that Kubernetes' own scheduler places, and that has nothing else of its own. */
    public VictimProtection(
            Optional<Controller> controller,
            int priority,
            RestartPolicy restartPolicy,
            boolean mirror,
            boolean gangMember,
            boolean localStorage) {
        this(
                controller,
                priority,
                restartPolicy,
                mirror,
                gangMember,
                localStorage,
                PodScheduler.DEFAULT,
                false,
                false,
                PodSecurityLevel.RESTRICTED,
                DisruptionAnnotations.none());
    }

    /** {@return the name of the scheduler that places the pod and its replacement} */
    public String schedulerName() {
        return scheduler.name();
    }

    /** {@return the same properties of a pod of another scheduler and level of the Pod Security Standards} */
    public VictimProtection with(PodScheduler otherScheduler, PodSecurityLevel otherLevel) {
        return new VictimProtection(
                controller,
                priority,
                restartPolicy,
                mirror,
                gangMember,
                localStorage,
                otherScheduler,
                resourceClaims,
                evictionResponder,
                otherLevel,
                disruptionAnnotations);
    }

    /** {@return whether the pod has at least the priority of {@code system-cluster-critical}} */
    public boolean systemCritical() {
        return priority >= SYSTEM_CRITICAL;
    }

    /** {@return whether a DaemonSet controls the pod} */
    public boolean ofDaemonSet() {
        return controller.isPresent() && controller.get().kind().equals("DaemonSet");
    }
}
