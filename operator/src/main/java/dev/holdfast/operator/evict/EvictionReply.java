package dev.holdfast.operator.evict;

import java.time.Duration;
import java.util.Optional;

/**
 * The HTTP reply of the API server to an eviction.
 *
 * @param code the HTTP status code
 * @param retryAfter the header {@code Retry-After}; empty if absent or not a number of seconds
 * @param body the body, JSON or not; may be empty
 */
record EvictionReply(int code, Optional<Duration> retryAfter, String body) {}
