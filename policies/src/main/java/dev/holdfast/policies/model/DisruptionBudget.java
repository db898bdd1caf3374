package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * A PodDisruptionBudget with the latest status from the disruption controller.
 *
 * @param selector absent selects no pod, <code>{}</code> selects all pods of its namespace
 * @param disruptionsAllowed how many evictions it allows now; 0 until the controller has set its status
 * @param neverAllows whether it would allow no eviction even with all its pods healthy, as with {@code maxUnavailable:
 *     0} or {@code minAvailable: 3} of three pods; false until the controller has set its status
 */
public record DisruptionBudget(
        String uid,
        NamespacedName name,
        Optional<LabelSelector> selector,
        int disruptionsAllowed,
        boolean neverAllows) {
    /** A budget that allows an eviction while all its pods are healthy. */
    public DisruptionBudget(String uid, NamespacedName name, Optional<LabelSelector> selector, int disruptionsAllowed) {
        this(uid, name, selector, disruptionsAllowed, false);
    }
}
