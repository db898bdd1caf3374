package dev.holdfast.it.bench.dump;

import java.util.Locale;

/**
 * The options of {@code it/bench dump}.
 *
 * @param rounds how often each command runs
 */
public record DumpOptions(int pods, int nodes, int rounds) {
    /** {@return the options in one line} */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d pods on %,d nodes, %d rounds", pods, nodes, rounds);
    }
}
