package dev.holdfast.operator.config;

import java.time.Duration;

/**
 * The Lease that lets one replica act, of all that run in a cluster: all must mean the same one.
 *
 * @param namespace where it is
 * @param duration how long another replica waits after the last renewal it saw before it takes over
 * @param renewDeadline how long this replica acts after the last renewal that was confirmed to it; less than duration
 * @param retryPeriod how long it waits between two attempts to take or renew the lease; less than renewDeadline
 */
public record LeaseSettings(
        String namespace, String name, Duration duration, Duration renewDeadline, Duration retryPeriod) {}
