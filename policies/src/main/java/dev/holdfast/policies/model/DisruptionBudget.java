package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * A PodDisruptionBudget with what its controller last said of it.
 *
 * @param selector absent selects no pod, <code>{}</code> all of its namespace
 * @param disruptionsAllowed how many evictions would pass now; 0 while the controller has not looked
 */
public record DisruptionBudget(
        String uid, NamespacedName name, Optional<LabelSelector> selector, int disruptionsAllowed) {}
