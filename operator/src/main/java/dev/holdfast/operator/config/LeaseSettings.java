package dev.holdfast.operator.config;

import java.time.Duration;

/**
 * Settings of the leader election Lease. All replicas in a cluster must use the same Lease.
 *
 * @param namespace the namespace of the Lease
 * @param duration how long another replica waits without seeing a renewal before it takes over
 * @param renewDeadline how long this replica keeps leading after its last confirmed renewal; less than duration
 * @param retryPeriod the time between two attempts to acquire or renew the Lease; less than renewDeadline
 */
public record LeaseSettings(
        String namespace, String name, Duration duration, Duration renewDeadline, Duration retryPeriod) {}
