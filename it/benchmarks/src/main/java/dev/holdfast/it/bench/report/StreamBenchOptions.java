package dev.holdfast.it.bench.report;

/**
 * What was asked of {@code it/bench stream}.
 *
 * @param events in a round
 * @param warmups rounds that do not count
 * @param rounds that count
 */
public record StreamBenchOptions(int pods, int nodes, int events, int warmups, int rounds, long seed) {
    private static final int QUICK_PODS = 3_000;
    private static final int QUICK_NODES = 100;
    private static final int QUICK_EVENTS = 2_000;

    /** {@return the options of a run of seconds, whose figures mean nothing but that they can be taken} */
    public static StreamBenchOptions quick(long seed) {
        return new StreamBenchOptions(QUICK_PODS, QUICK_NODES, QUICK_EVENTS, 1, 2, seed);
    }
}
