package dev.holdfast.it.bench;

import java.util.Locale;

/**
 * The options of {@code it/bench ledger}.
 *
 * @param clocks how many violations run a clock, at least
 * @param rounds how often each start and each end of a leader is measured
 * @param minutes the length of each period without a change, in minutes
 * @param churnSeconds how long violations break and heal while the writes of the ledger are counted
 * @param seed the random seed for the placement of pods and the choice of changes
 */
record LedgerOptions(int nodes, int pods, int clocks, int rounds, double minutes, int churnSeconds, long seed) {
    LedgerOptions {
        if (clocks < 1 || rounds < 1 || minutes <= 0 || churnSeconds < 1) {
            throw new IllegalArgumentException("--clocks, --rounds, --minutes and --churn-seconds must be above 0");
        }
    }

    /** {@return the options in one line} */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%,d nodes, %,d pods, %,d clocks, rounds: %d, seed %d", nodes, pods, clocks, rounds, seed);
    }
}
