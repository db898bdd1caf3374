package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * The part of a pod that decides whether it may be a victim at all.
 *
 * @param controller who would replace it; absent for a bare pod
 * @param priority as resolved at admission; 2,000,000,000 and above is system-critical
 * @param mirror whether it is the API server's image of a static pod
 * @param gangMember whether it belongs to a group of pods that live and die together
 * @param localStorage whether it has a volume on its node's disk that goes when the pod goes: an emptyDir, unless that is
 *     in memory
 * @param disruptionAnnotations what its annotations ask for
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

    /** A pod without annotations that ask for anything. */
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

    /** {@return whether a DaemonSet decides which nodes the pod runs on} */
    public boolean ofDaemonSet() {
        return controller.isPresent() && controller.get().kind().equals("DaemonSet");
    }
}
