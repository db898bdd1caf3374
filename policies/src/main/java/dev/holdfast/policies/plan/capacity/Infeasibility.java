package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.Reason;
import java.util.Optional;

/**
 * The reason why no node would take a candidate.
 *
 * @param reason the reason of the hold
 * @param message the message of the hold, usually with the number of nodes rejected for each reason
 * @param forTenants the message for tenants, if {@code message} names policies of others; absent if tenants may read
 *     {@code message}
 */
public record Infeasibility(Reason reason, String message, Optional<String> forTenants) {
    /** Creates a reason whose message all users may read. */
    public Infeasibility(Reason reason, String message) {
        this(reason, message, Optional.empty());
    }

    /** The claims on some node must be read before it is known whether the node can attach the pod's volumes. */
    public static final Infeasibility UNCOUNTED = new Infeasibility(
            Reason.VOLUME_UNREADABLE,
            "it is not known yet how many volumes are attached to the nodes that would take the pod");

    /** {@return an infeasibility with another reason, whose message ends with the message of this one} */
    public Infeasibility after(Reason other, String before) {
        return new Infeasibility(other, before + message, forTenants.map(before::concat));
    }

    /**
     * {@return whether the pod may be evicted nevertheless if a policy's {@code whenInfeasible} says so; false, for
     * example, while it is unknown where a volume of the pod can be used}
     */
    public boolean mayBeOverridden() {
        return reason == Reason.INFEASIBLE || reason == Reason.VOLUME_PINNED;
    }
}
