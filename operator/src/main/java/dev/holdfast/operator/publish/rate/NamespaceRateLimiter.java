package dev.holdfast.operator.publish.rate;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * A rate limit for what is written about the pods of each namespace, beside a limit for all namespaces together. So a
 * tenant with many such pods leaves the events and log lines of others alone, and many tenants do not flood the API
 * server. Not thread-safe.
 *
 * <p>Only namespaces that wrote something lately are remembered. The limit for all of them bounds their number.
 *
 * <p>Example: with 30 entries at once and one more each 6 s, a namespace with 1,000 pods may write 30 entries now and
 * 10 in the next minute. All namespaces together may write 300 now and 100 in the next minute.
 */
public final class NamespaceRateLimiter {
    /** The limit of all namespaces together, as a multiple of the limit of one namespace. */
    private static final int NAMESPACES = 10;

    private final int atOnce;
    private final Duration oneMoreEach;
    private final TokenBucket together;
    private final Map<String, TokenBucket> namespaces = new HashMap<>();

    /**
     * Creates a rate limit.
     *
     * @param atOnce how many entries a namespace that was quiet may write at once
     * @param oneMoreEach the time after which it may write one more
     */
    public NamespaceRateLimiter(int atOnce, Duration oneMoreEach, Instant now) {
        this.atOnce = atOnce;
        this.oneMoreEach = oneMoreEach;
        this.together = new TokenBucket(NAMESPACES * atOnce, oneMoreEach.dividedBy(NAMESPACES), now);
    }

    /**
     * {@return whether the limits of the namespace and of all namespaces allow one more entry now} If so, the entry is
     * subtracted from both limits.
     */
    public boolean take(String namespace, Instant now) {
        // First: a new namespace is remembered only if this takes a token, which bounds their number.
        if (!together.has(1, now)) {
            return false;
        }
        if (!namespaces.containsKey(namespace)) {
            namespaces.values().removeIf(it -> it.isFull(now));
            namespaces.put(namespace, new TokenBucket(atOnce, oneMoreEach, now));
        }
        return namespaces.get(namespace).take(1, now) && together.take(1, now);
    }

    /** {@return the number of namespaces that are remembered} */
    int size() {
        return namespaces.size();
    }
}
