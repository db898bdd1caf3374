package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * The properties of a pod that may protect it from eviction.
 *
 * @param controller the controller that would replace it; absent for a bare pod
 * @param priority as resolved at admission; 2,000,000,000 and above is system-critical
 * @param mirror whether it is the mirror pod of a static pod
 * @param gangMember whether it belongs to a gang, a group of pods that are scheduled and deleted together
 * @param localStorage whether it has a volume on its node's disk that is deleted with the pod: an emptyDir that is not
 *     in memory
 * @param disruptionAnnotations its annotations that restrict evictions
 */
public record VictimProtection(
        Optional<Controller> controller,
        int priority,
        RestartPolicy restartPolicy,
        boolean mirror,
        boolean gangMember,
        boolean localStorage,
        DisruptionAnnotations disruptionAnnotations) {
    /** The lowest priority of {@code system-cluster-critical} and {@code system-node-critical}. */
    private static final int SYSTEM_CRITICAL = 2_000_000_000;

    /** A pod without disruption annotations. */
    public VictimProtection(
            Optional<Controller> controller,
            int priority,
            RestartPolicy restartPolicy,
            boolean mirror,
            boolean gangMember,
            boolean localStorage) {
        this(controller, priority, restartPolicy, mirror, gangMember, localStorage, DisruptionAnnotations.none());
    }

    /** {@return whether the pod has one of the two system-critical priorities} */
    public boolean systemCritical() {
        return priority >= SYSTEM_CRITICAL;
    }

    /** {@return whether a DaemonSet controls the pod} */
    public boolean ofDaemonSet() {
        return controller.isPresent() && controller.get().kind().equals("DaemonSet");
    }
}
