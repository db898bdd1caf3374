package dev.holdfast.it.bench;

import java.util.Locale;

/**
 * The options of {@code it/bench scale}.
 *
 * @param rounds in each, curl, the operator and the descheduler read the whole cluster, one after the other
 * @param planted changes that break rules before the first round
 * @param starts of the operator on an empty cluster
 * @param samples changes that break a rule, at 20 commits a second; then twice as many at 200 a second
 * @param churnSeconds at each rate at which pods and nodes change while the operator's CPU time is measured
 * @param quietMinutes without any change, in which the operator's requests are counted
 * @param peer whether the descheduler is measured too
 * @param seed for the nodes of pods and the order of changes
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
    /** {@return the options in one line} */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d nodes, %,d pods, %d rounds, seed %d", nodes, pods, rounds, seed);
    }
}
