package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.HostileKind;
import java.util.List;
import java.util.Locale;

/**
 * The options of {@code it/bench hostile}.
 *
 * @param objects how many large objects of each kind there are
 * @param kinds the kinds, one after the other
 * @param samples how many label changes that break a rule are made while large objects are written
 * @param seed the random seed for the placement of pods and the order of changes
 */
record HostileOptions(int nodes, int pods, int objects, List<HostileKind> kinds, int samples, long seed) {
    HostileOptions {
        kinds = List.copyOf(kinds);
    }

    /** {@return the options in one line} */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%,d nodes, %,d pods, %,d objects of each kind, seed %d", nodes, pods, objects, seed);
    }
}
