package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.ClusterEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A repeating sequence of events. The last event restores the state before the first. An event is created right before
 * use, with new strings, as if just decoded from a watch. Older events might no longer be in the CPU's cache.
 */
final class Script {
    private final List<Supplier<ClusterEvent>> events = new ArrayList<>();
    private int next;

    /** The events that make one change, and the events that revert it. Each use creates new events. */
    record Change(List<Supplier<ClusterEvent>> there, List<Supplier<ClusterEvent>> back) {
        Change {
            there = List.copyOf(there);
            back = List.copyOf(back);
        }

        /** {@return a change by one event, which another event reverts} */
        static Change single(Supplier<ClusterEvent> there, Supplier<ClusterEvent> back) {
            return new Change(List.of(there), List.of(back));
        }
    }

    /** Makes all changes in order, and then reverts them in the same order. */
    Script(List<Change> changes) {
        if (changes.isEmpty()) {
            throw new IllegalArgumentException("the world is too small for these events");
        }
        changes.forEach(change -> events.addAll(change.there()));
        changes.forEach(change -> events.addAll(change.back()));
    }

    /** Creates and returns the next event. */
    ClusterEvent next() {
        ClusterEvent event = events.get(next).get();
        next = next + 1 == events.size() ? 0 : next + 1;
        return event;
    }

    /** {@return the number of events after which the sequence repeats} */
    int length() {
        return events.size();
    }
}
