package dev.holdfast.operator.publish.series;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * A limit on what the series of PlacementPolicies add to a scrape, in bytes: of all namespaces together, and of one
 * namespace. So tenants cannot exhaust the operator's memory, and no tenant can use up the share of the others.
 */
final class SeriesBudget {
    /** The part of the total that one namespace may have: an eighth. */
    private static final int NAMESPACES = 8;

    private final long total;

    @GuardedBy("this")
    private long taken;

    @GuardedBy("this")
    private final Map<String, Long> byNamespace = new HashMap<>();

    /** @param total the limit for all namespaces together, in bytes */
    SeriesBudget(long total) {
        this.total = total;
    }

    /** Takes this many bytes for a namespace if the limits allow it; returns whether they do. */
    synchronized boolean take(String namespace, long bytes) {
        long ofNamespace = byNamespace.getOrDefault(namespace, 0L) + bytes;
        if (taken + bytes > total || ofNamespace > total / NAMESPACES) {
            return false;
        }
        taken += bytes;
        byNamespace.put(namespace, ofNamespace);
        return true;
    }

    /** Gives back bytes that were taken for a namespace. */
    synchronized void release(String namespace, long bytes) {
        taken -= bytes;
        byNamespace.computeIfPresent(namespace, (_, before) -> before > bytes ? before - bytes : null);
    }
}
