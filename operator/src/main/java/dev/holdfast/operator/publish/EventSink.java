package dev.holdfast.operator.publish;

import java.time.Instant;

/** Writer of Kubernetes events. */
@FunctionalInterface
interface EventSink {
    /**
     * Creates or counts up one event. May block.
     *
     * @param at the time of the event
     * @return whether the event was written
     */
    boolean write(EventDraft note, Instant at);
}
