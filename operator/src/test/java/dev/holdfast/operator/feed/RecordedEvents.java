package dev.holdfast.operator.feed;

import dev.holdfast.policies.engine.protocol.Event;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What a feed tells the engine, event by event. */
final class RecordedEvents {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    void add(Event event) {
        events.add(event);
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** {@return the next event, waited for} */
    Event next() throws InterruptedException {
        return Optional.ofNullable(events.poll(20, TimeUnit.SECONDS))
                .orElseThrow(() -> new AssertionError("nothing came"));
    }

    /** {@return why a view is lost, by the next event} */
    String nextLoss() throws InterruptedException {
        return next() instanceof Event.ViewLost(var _, String why, var _) ? why : "no loss";
    }
}
