package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * A PodDisruptionBudget with what its controller last said of it.
 *
 * @param selector absent selects no pod, <code>{}</code> all of its namespace
 * @param disruptionsAllowed how many evictions would pass now; 0 while the controller has not looked
 * @param neverAllows whether none would pass even if all its pods were healthy, as with {@code maxUnavailable: 0} or
 *     {@code minAvailable: 3} of three pods; false while the controller has not looked
 */
public record DisruptionBudget(
        String uid,
        NamespacedName name,
        Optional<LabelSelector> selector,
        int disruptionsAllowed,
        boolean neverAllows) {
    /** A budget that allows something while all its pods are healthy. */
    public DisruptionBudget(String uid, NamespacedName name, Optional<LabelSelector> selector, int disruptionsAllowed) {
        this(uid, name, selector, disruptionsAllowed, false);
    }
}
