package dev.holdfast.operator.evict;

import java.time.Duration;
import java.util.Optional;

/**
 * What the API server replied.
 *
 * @param code of the status line
 * @param retryAfter of the header
 * @param body as sent, JSON or not
 */
record EvictionReply(int code, Optional<Duration> retryAfter, String body) {}
