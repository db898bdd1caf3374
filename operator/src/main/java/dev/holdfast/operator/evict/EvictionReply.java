package dev.holdfast.operator.evict;

import java.time.Duration;
import java.util.Optional;

/**
 * The HTTP reply of the API server to an eviction.
 *
 * @param code the HTTP status code
 * @param retryAfter the header {@code Retry-After}
 * @param body the body, JSON or not
 */
record EvictionReply(int code, Optional<Duration> retryAfter, String body) {}
