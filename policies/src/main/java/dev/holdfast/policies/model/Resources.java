package dev.holdfast.policies.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Amounts of what nodes have and pods ask for, rounded up as the scheduler does; what is more than a long holds is
 * {@link Long#MAX_VALUE}. Equal for all pods of a template and for many nodes, so instances are worth sharing.
 *
 * @param milliCpu thousandths of a core
 * @param memory bytes
 * @param ephemeralStorage bytes
 * @param pods how many a node takes; 0 of a pod
 * @param others by name, in natural order: extended resources in pieces, huge pages in bytes
 */
public record Resources(long milliCpu, long memory, long ephemeralStorage, long pods, Map<String, Long> others) {
    private static final Resources NONE = new Resources(0, 0, 0, 0, Map.of());

    public Resources {
        others = others.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(others));
    }

    /** {@return nothing of anything} */
    public static Resources none() {
        return NONE;
    }
}
