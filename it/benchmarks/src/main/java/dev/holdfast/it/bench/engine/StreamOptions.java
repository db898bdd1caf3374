package dev.holdfast.it.bench.engine;

import java.util.Locale;

/**
 * The options of {@code it/bench stream}.
 *
 * @param events the number of events per round
 * @param warmups the number of rounds before the measured ones
 * @param rounds the number of measured rounds
 */
public record StreamOptions(int pods, int nodes, int events, int warmups, int rounds, long seed) {
    private static final int QUICK_PODS = 3_000;
    private static final int QUICK_NODES = 100;
    private static final int QUICK_EVENTS = 2_000;

    /** {@return options for a run that takes seconds and only tests the bench: its figures mean nothing} */
    public static StreamOptions quick(long seed) {
        return new StreamOptions(QUICK_PODS, QUICK_NODES, QUICK_EVENTS, 1, 2, seed);
    }

    /** {@return the options in one line} */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d pods, %,d nodes, seed %d; %d rounds of %,d events after %d to warm up",
                pods,
                nodes,
                seed,
                rounds,
                events,
                warmups);
    }
}
