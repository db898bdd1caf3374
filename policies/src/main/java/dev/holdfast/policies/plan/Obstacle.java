package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;

/**
 * Why no node would take a candidate.
 *
 * @param reason of the hold
 * @param message of the hold, with what speaks against the nodes
 */
record Obstacle(Reason reason, String message) {
    /** The objection to a place that only bystanders make worse. */
    static final String TRADING = "where it would break the rules of others";

    /** {@return the obstacle that all these objections are together} */
    static Obstacle of(Objections objections, Pod pod, Volumes volumes) {
        if (objections.include(Volumes.OUT_OF_REACH) && !objections.include(TRADING)) {
            return new Obstacle(
                    Reason.VOLUME_PINNED,
                    volumes.describe(pod) + ", and no other node would take the pod now: " + objections.describe());
        }
        return objections.include(TRADING)
                ? new Obstacle(
                        Reason.TRADES_VIOLATIONS,
                        "wherever it could go, it would break no fewer rules than it mends: " + objections.describe())
                : new Obstacle(Reason.INFEASIBLE, "no other node would take the pod now: " + objections.describe());
    }

    /** {@return whether the policy may say that the pod is evicted all the same} */
    boolean mayBeOverridden() {
        return reason == Reason.INFEASIBLE || reason == Reason.VOLUME_PINNED;
    }
}
