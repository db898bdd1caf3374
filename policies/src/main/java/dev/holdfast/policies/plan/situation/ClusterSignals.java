package dev.holdfast.policies.plan.situation;

/**
 * The recent events in the cluster that can delay evictions.
 *
 * @param recentDisturbances the last creation, deletion or readiness loss of a pod in each workload
 * @param domains since when each domain is usable
 * @param health how many nodes of the cluster and of each domain are lost
 * @param breakerGate the open breakers, and the backlogs of edited policies
 */
public record ClusterSignals(
        RecentDisturbances recentDisturbances, DomainHistory domains, NodeHealth health, BreakerGate breakerGate) {}
