package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.plan.domain.DomainHistory;
import dev.holdfast.policies.plan.domain.NodeHealth;

/**
 * The recent events in the cluster that can delay evictions.
 *
 * @param recentDisturbances when a pod of each workload was last created, deleted or turned unready
 * @param domains since when each domain of each spread is usable
 * @param health how many of the nodes that a rule counts are lost (not Ready, or vanished a short time ago)
 * @param brakeGate the open breakers, and the backlogs of edited policies
 */
public record ClusterSignals(
        RecentDisturbances recentDisturbances, DomainHistory domains, NodeHealth health, BrakeGate brakeGate) {}
