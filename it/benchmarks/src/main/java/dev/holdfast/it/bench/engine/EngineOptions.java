package dev.holdfast.it.bench.engine;

import java.util.Locale;

/**
 * The options of {@code it/bench engine}.
 *
 * @param only the text that a scene's name must contain to be measured; empty measures everything
 * @param forks how many JVMs measure each scene, one after the other; 0 runs the scene in this JVM, for a quick test
 * @param iterations the JMH iterations of a scene, after seven warm-up iterations
 * @param iterationMillis the length of an iteration in milliseconds
 * @param churnEvents the number of events that replace pods by pods with labels that never occur twice
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
    private static final int PRESSURE_SECONDS = 60;
    private static final int QUICK_PODS = 3_000;
    private static final int QUICK_NODES = 100;
    private static final int QUICK_MILLIS = 20;
    private static final int QUICK_EVENTS = 20_000;

    /** {@return options for a run that takes seconds and only tests the bench: its figures mean nothing} */
    public static EngineOptions quick(String only, long seed) {
        return new EngineOptions(QUICK_PODS, QUICK_NODES, only, 0, 1, QUICK_MILLIS, QUICK_EVENTS, false, seed);
    }

    /** {@return how many seconds of events are played, by the engine's clock, while due pods wait for a node} */
    int pressureSeconds() {
        return forks == 0 ? 1 : PRESSURE_SECONDS;
    }

    /** {@return the options in one line} */
    @Override
    public String toString() {
        String length = forks == 0
                ? "in this JVM: the figures mean nothing"
                : String.format(Locale.ROOT, "%d x %d iterations of %d ms", forks, iterations, iterationMillis);
        return String.format(Locale.ROOT, "%,d pods, %,d nodes, seed %d; %s", pods, nodes, seed, length);
    }
}
