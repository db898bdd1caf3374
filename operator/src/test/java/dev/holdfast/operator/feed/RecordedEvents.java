package dev.holdfast.operator.feed;

import dev.holdfast.policies.engine.protocol.Event;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The events that a feed sends to the engine, in order. */
final class RecordedEvents {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    void add(Event event) {
        events.add(event);
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** Waits for the next event. */
    Event next() throws InterruptedException {
        return Optional.ofNullable(events.poll(20, TimeUnit.SECONDS))
                .orElseThrow(() -> new AssertionError("no event arrived"));
    }

    /** {@return the reason in the next event, which must be a ViewLost} */
    String nextLoss() throws InterruptedException {
        return next() instanceof Event.ViewLost(var _, String why, var _) ? why : "no loss";
    }
}
