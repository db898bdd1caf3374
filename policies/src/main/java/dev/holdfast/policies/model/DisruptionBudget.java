package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * A PodDisruptionBudget with the latest status from the disruption controller.
 *
 * @param selector selects the pods of the budget; absent selects no pod, <code>{}</code> selects all pods of the
 *     budget's namespace
 * @param disruptionsAllowed how many evictions the budget allows now; 0 until the controller has set its status
 * @param neverAllows whether the budget would allow no eviction even if all its pods were healthy; false until the
 *     controller has set its status. Examples: {@code maxUnavailable: 0}, or {@code minAvailable: 3} with three pods
 */
public record DisruptionBudget(
        String uid,
        NamespacedName name,
        Optional<LabelSelector> selector,
        int disruptionsAllowed,
        boolean neverAllows) {
    /** {@return the message for a budget that would allow no eviction even if all its pods were healthy} */
    public String describeNever() {
        return "disruption budget " + name.name()
                + " would allow no eviction even if all its pods were healthy; loosen it or add replicas";
    }

    /**
     * Creates a budget whose {@code neverAllows} is false. {@code disruptionsAllowed} may be 0 nevertheless, for
     * example while one of its pods is not healthy.
     */
    public DisruptionBudget(String uid, NamespacedName name, Optional<LabelSelector> selector, int disruptionsAllowed) {
        this(uid, name, selector, disruptionsAllowed, false);
    }
}
