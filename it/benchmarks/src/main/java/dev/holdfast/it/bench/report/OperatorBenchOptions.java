package dev.holdfast.it.bench.report;

/**
 * What was asked of {@code it/bench operator}.
 *
 * @param starts of the operator on an empty cluster
 * @param samples changes that break a rule
 * @param perSecond changes, those that heal counted too
 * @param quietMinutes in which nothing changes and the operator's requests are counted
 * @param peer whether the descheduler is measured too
 * @param peerSamples as samples, for the descheduler
 * @param peerQuietMinutes as quietMinutes, for the descheduler
 * @param seed of the order of the changes
 */
public record OperatorBenchOptions(
        int nodes,
        int pods,
        int starts,
        int samples,
        double perSecond,
        double quietMinutes,
        boolean peer,
        int peerSamples,
        double peerQuietMinutes,
        long seed) {}
