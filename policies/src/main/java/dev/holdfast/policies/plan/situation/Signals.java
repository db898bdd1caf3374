package dev.holdfast.policies.plan.situation;

/**
 * What has happened in the cluster lately and makes a plan wait.
 *
 * @param recentDisturbances what disturbed workloads
 * @param domains since when domains could have taken pods
 * @param health how many nodes are lost
 * @param breakerGate what stops evictions when too much breaks at once
 */
public record Signals(
        RecentDisturbances recentDisturbances, DomainHistory domains, NodeHealth health, BreakerGate breakerGate) {}
