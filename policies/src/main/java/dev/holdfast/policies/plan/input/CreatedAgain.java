package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import java.util.Optional;

/**
 * What the scheduler requires of the replacement of a pod. Policies inject rules into the replacement, perhaps others
 * than into the pod itself. A spread constraint then counts only nodes that have the keys of all constraints (TS-4).
 */
@FunctionalInterface
public interface CreatedAgain {
    /** The value if no policy injects a rule. */
    CreatedAgain NEVER_INJECTED = _ -> Optional.empty();

    /**
     * {@return the constraints that a pod like this one would get now at its creation, all as its own; empty if no
     * policy injects a rule into it}
     */
    Optional<Scheduling> of(Pod pod);
}
