package dev.holdfast.it.bench;

import java.util.Locale;

/**
 * The options of {@code it/bench scale}.
 *
 * @param rounds the number of rounds; in each, curl, the operator and the descheduler read the whole cluster, one after
 * the other
 * @param planted the number of label changes that break rules before the first round
 * @param starts how often the operator is started on an empty cluster
 * @param samples the number of label changes that break a rule in the first run, at 20 requests a second; the second
 * run makes twice as many, at 200 requests a second
 * @param churnSeconds how long pods and nodes change at each rate while the operator's CPU time is measured
 * @param quietMinutes how many minutes the operator's requests are counted while no object changes; 0 skips this
 * @param peer whether the descheduler is measured too
 * @param seed the random seed for the placement of pods and the order of changes
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
