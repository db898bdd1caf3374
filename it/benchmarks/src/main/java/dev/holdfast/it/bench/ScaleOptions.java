package dev.holdfast.it.bench;

import java.util.Locale;

/**
 * What was asked of {@code it/bench scale}.
 *
 * @param rounds in each of which the floor, the operator and the descheduler read the whole cluster, in turns
 * @param planted changes that have broken rules before the first round
 * @param starts of the operator on an empty cluster
 * @param samples changes that break a rule, at 20 halves a second; ten times as fast so many again
 * @param churnSeconds of each rate at which pods and nodes change while the operator's CPU time is taken
 * @param quietMinutes in which nothing changes and the operator's requests are counted
 * @param peer whether the descheduler is measured too
 * @param seed of places and changes
 */
record ScaleOptions(
        int nodes,
        int pods,
        int rounds,
        int planted,
        int starts,
        int samples,
        int churnSeconds,
        double quietMinutes,
        boolean peer,
        long seed) {
    /** {@return them in one line} */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d nodes, %,d pods, %d rounds, seed %d", nodes, pods, rounds, seed);
    }
}
