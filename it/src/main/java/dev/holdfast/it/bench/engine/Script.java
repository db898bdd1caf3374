package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.ClusterEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Events to be played again and again, one turn after the other. The last turn leaves the cluster as the first found it;
 * all objects are made before, so that playing makes none.
 */
final class Script {
    private final ClusterEvent[][] turns;
    private int next;

    private Script(List<ClusterEvent[]> turns) {
        this.turns = turns.toArray(ClusterEvent[][]::new);
    }

    /** What happens to one object, and what takes it back. */
    record There(List<ClusterEvent> there, List<ClusterEvent> back) {
        There(ClusterEvent there, ClusterEvent back) {
            this(List.of(there), List.of(back));
        }
    }

    /** {@return the script in which everything happens in a drawn order, and is then taken back in the same order} */
    static Script thereAndBack(Stream<There> happenings, Random random) {
        List<There> order = new ArrayList<>(happenings.toList());
        if (order.isEmpty()) {
            throw new IllegalArgumentException("the world is too small: nothing in it can happen so");
        }
        Collections.shuffle(order, random);
        List<ClusterEvent[]> turns = new ArrayList<>();
        order.forEach(one -> turns.add(one.there().toArray(ClusterEvent[]::new)));
        order.forEach(one -> turns.add(one.back().toArray(ClusterEvent[]::new)));
        return new Script(turns);
    }

    /** Plays the next turn. */
    void play(Consumer<ClusterEvent> listener) {
        for (ClusterEvent event : turns[next]) {
            listener.accept(event);
        }
        next = next + 1 == turns.length ? 0 : next + 1;
    }

    /** {@return how many turns there are until all is as it was} */
    int length() {
        return turns.length;
    }
}
