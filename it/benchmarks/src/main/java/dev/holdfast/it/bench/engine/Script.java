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
 * Events to be played again and again, one turn after the other. The last turn leaves the cluster as the first found it.
 * The events of a turn are made when it comes, with strings of their own, as a feed decodes them right before they are taken
 * in: events made long before would have to be fetched from memory first.
 */
final class Script {
    private final List<Supplier<List<ClusterEvent>>> turns;
    private int next;

    private Script(List<Supplier<List<ClusterEvent>>> turns) {
        this.turns = List.copyOf(turns);
    }

    /** What happens to one object, turn by turn, and what takes it back; made anew each time. */
    record There(List<Supplier<List<ClusterEvent>>> there, List<Supplier<List<ClusterEvent>>> back) {
        There {
            there = List.copyOf(there);
            back = List.copyOf(back);
        }

        /** {@return what is one event each way} */
        static There single(Supplier<ClusterEvent> there, Supplier<ClusterEvent> back) {
            return together(() -> List.of(there.get()), () -> List.of(back.get()));
        }

        /** {@return what is one turn each way} */
        static There together(Supplier<List<ClusterEvent>> there, Supplier<List<ClusterEvent>> back) {
            return new There(List.of(there), List.of(back));
        }

        /** {@return a turn of one event} */
        static Supplier<List<ClusterEvent>> turn(Supplier<ClusterEvent> event) {
            return () -> List.of(event.get());
        }
    }

    /** {@return the script in which everything happens in a drawn order, and is then taken back in the same order} */
    static Script thereAndBack(Stream<There> happenings, Random random) {
        List<There> order = new ArrayList<>(happenings.toList());
        if (order.isEmpty()) {
            throw new IllegalArgumentException("the world is too small: nothing in it can happen so");
        }
        Collections.shuffle(order, random);
        List<Supplier<List<ClusterEvent>>> turns = new ArrayList<>();
        order.forEach(one -> turns.addAll(one.there()));
        order.forEach(one -> turns.addAll(one.back()));
        return new Script(turns);
    }

    /** {@return the events of the next turn, made now} */
    List<ClusterEvent> next() {
        List<ClusterEvent> events = turns.get(next).get();
        next = next + 1 == turns.size() ? 0 : next + 1;
        return events;
    }

    /** Plays the next turn. */
    void play(Consumer<ClusterEvent> listener) {
        next().forEach(listener);
    }

    /** {@return how many turns there are until all is as it was} */
    int length() {
        return turns.size();
    }
}
