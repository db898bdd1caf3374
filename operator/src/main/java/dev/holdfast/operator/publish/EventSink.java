package dev.holdfast.operator.publish;

import java.time.Instant;

/** The writer of Kubernetes events to the API server. */
@FunctionalInterface
interface EventSink {
    /**
     * Creates an event, or increases the count of an existing one with the same name. May block.
     *
     * @param at the time of the event
     * @return whether the event was written
     */
    boolean write(EventDraft note, Instant at);
}
