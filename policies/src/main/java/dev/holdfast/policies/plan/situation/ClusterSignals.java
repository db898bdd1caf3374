package dev.holdfast.policies.plan.situation;

/**
 * The recent events in the cluster that can delay a plan.
 *
 * @param recentDisturbances the recent disturbances of workloads
 * @param domains since when domains are usable
 * @param health the number of lost nodes
 * @param breakerGate the open breakers and backlogs
 */
public record ClusterSignals(
        RecentDisturbances recentDisturbances, DomainHistory domains, NodeHealth health, BreakerGate breakerGate) {}
