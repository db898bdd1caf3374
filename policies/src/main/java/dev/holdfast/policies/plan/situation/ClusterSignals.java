package dev.holdfast.policies.plan.situation;

/**
 * The recent events in the cluster that can delay evictions.
 *
 * @param recentDisturbances when a pod of each workload was last created, deleted or turned unready
 * @param domains since when each domain is usable
 * @param health how many nodes of the cluster and of each domain are lost (not Ready, or vanished a short time ago)
 * @param brakeGate the open breakers, and the backlogs of edited policies
 */
public record ClusterSignals(
        RecentDisturbances recentDisturbances, DomainHistory domains, NodeHealth health, BrakeGate brakeGate) {}
