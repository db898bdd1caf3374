package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.ClusterEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A repeating sequence of turns (batches of events that are timed as one). The last turn restores the state before the
 * first. The events of a turn are created right before use, with new strings, as if just decoded from a watch. Older
 * events might no longer be in the CPU's cache.
 */
final class Script {
    private final List<Supplier<List<ClusterEvent>>> turns;
    private int next;

    private Script(List<Supplier<List<ClusterEvent>>> turns) {
        this.turns = List.copyOf(turns);
    }

    /** The turns that make one change, and the turns that revert it. Each use creates new events. */
    record There(List<Supplier<List<ClusterEvent>>> there, List<Supplier<List<ClusterEvent>>> back) {
        There {
            there = List.copyOf(there);
            back = List.copyOf(back);
        }

        /** {@return a change by one event, which another event reverts} */
        static There single(Supplier<ClusterEvent> there, Supplier<ClusterEvent> back) {
            return together(() -> List.of(there.get()), () -> List.of(back.get()));
        }

        /** {@return a change by one turn of several events, which another turn reverts} */
        static There together(Supplier<List<ClusterEvent>> there, Supplier<List<ClusterEvent>> back) {
            return new There(List.of(there), List.of(back));
        }

        /** {@return a turn with one event} */
        static Supplier<List<ClusterEvent>> turn(Supplier<ClusterEvent> event) {
            return () -> List.of(event.get());
        }
    }

    /** {@return the script that makes all changes in a random order, and then reverts them in the same order} */
    static Script thereAndBack(Stream<There> happenings, Random random) {
        List<There> order = new ArrayList<>(happenings.toList());
        if (order.isEmpty()) {
            throw new IllegalArgumentException("the world is too small for these events");
        }
        Collections.shuffle(order, random);
        List<Supplier<List<ClusterEvent>>> turns = new ArrayList<>();
        order.forEach(one -> turns.addAll(one.there()));
        order.forEach(one -> turns.addAll(one.back()));
        return new Script(turns);
    }

    /** Creates and returns the events of the next turn. */
    List<ClusterEvent> next() {
        List<ClusterEvent> events = turns.get(next).get();
        next = next + 1 == turns.size() ? 0 : next + 1;
        return events;
    }

    /** Creates the events of the next turn and delivers them. */
    void play(Consumer<ClusterEvent> listener) {
        next().forEach(listener);
    }

    /** {@return the number of turns after which the sequence repeats} */
    int length() {
        return turns.size();
    }
}
