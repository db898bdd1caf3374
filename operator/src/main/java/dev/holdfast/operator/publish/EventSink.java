package dev.holdfast.operator.publish;

import java.time.Instant;

/** Where events go in the end. */
@FunctionalInterface
interface EventSink {
    /**
     * Writes or counts up one event. May block.
     *
     * @param at when it happened
     * @return whether it stands now
     */
    boolean write(EventDraft note, Instant at);
}
