package dev.holdfast.it.bench.engine;

import java.util.Locale;

/**
 * What was asked of {@code it/bench engine}.
 *
 * @param only the names of scenes contain it, and nothing but they is measured; empty measures everything
 * @param forks JVMs a scene, one after the other; 0 runs it in this one, for a quick look
 * @param iterations of a scene, after seven to warm up
 * @param iterationMillis how long each is
 * @param churnEvents events with labels that never come again
 * @param million whether 1,000,000 pods are measured too
 */
public record EngineOptions(
        int pods,
        int nodes,
        String only,
        int forks,
        int iterations,
        int iterationMillis,
        long churnEvents,
        boolean million,
        long seed) {
    private static final int QUICK_PODS = 3_000;
    private static final int QUICK_NODES = 100;
    private static final int QUICK_MILLIS = 20;
    private static final int QUICK_EVENTS = 20_000;

    /** {@return the options of a run of seconds, whose figures mean nothing but that they can be taken} */
    public static EngineOptions quick(String only, long seed) {
        return new EngineOptions(QUICK_PODS, QUICK_NODES, only, 0, 1, QUICK_MILLIS, QUICK_EVENTS, false, seed);
    }

    /** {@return them in one line} */
    @Override
    public String toString() {
        String length = forks == 0
                ? "in this JVM: the figures mean nothing"
                : String.format(Locale.ROOT, "%d x %d iterations of %d ms", forks, iterations, iterationMillis);
        return String.format(Locale.ROOT, "%,d pods, %,d nodes, seed %d; %s", pods, nodes, seed, length);
    }
}
