package dev.holdfast.operator.observe;

import dev.holdfast.policies.engine.Effect;
import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.evaluate.Reason;
import io.fabric8.kubernetes.client.Config;

/** Consistent reads of single objects, past every cache. */
public final class ClusterReader implements AutoCloseable {
    /** A reader of the cluster that this reaches. */
    public ClusterReader(Config connection) {}

    /** {@return what stands at the API server now: Confirmed, or ConfirmFailed with what went wrong} */
    public Event confirm(Effect.Confirm asked) {
        return new Event.ConfirmFailed(asked.planId(), Reason.API_ERROR, "not there yet");
    }

    @Override
    public void close() {}
}
