package dev.holdfast.policies.plan.situation;

/**
 * What has happened in the cluster lately and makes a plan wait.
 *
 * @param unrest what disturbed workloads
 * @param domains since when domains could have taken pods
 * @param health how many nodes are lost
 * @param brakes what stops evictions when too much breaks at once
 */
public record Signals(Unrest unrest, DomainHistory domains, NodeHealth health, Brakes brakes) {}
