package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.Reason;

/**
 * Why no node would take a candidate.
 *
 * @param reason of the hold
 * @param message of the hold, with what speaks against the nodes
 */
public record Infeasibility(Reason reason, String message) {
    /** {@return whether the policy may say that the pod is evicted all the same} */
    public boolean mayBeOverridden() {
        return reason == Reason.INFEASIBLE || reason == Reason.VOLUME_PINNED;
    }
}
