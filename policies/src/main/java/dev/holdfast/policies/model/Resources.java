package dev.holdfast.policies.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Amounts of resources that nodes provide and pods request, rounded up as the scheduler does. An amount beyond the
 * range of a long becomes {@link Long#MAX_VALUE}. Pods of one template, and many nodes, have equal amounts, so they
 * share an instance.
 *
 * @param milliCpu thousandths of a core
 * @param memory bytes
 * @param ephemeralStorage bytes
 * @param pods the number of pods that a node can run; 0 in the amounts of a pod
 * @param others all other resources, by name in natural order: extended resources in units, huge pages in bytes
 */
public record Resources(long milliCpu, long memory, long ephemeralStorage, long pods, Map<String, Long> others) {
    /**
     * The name in {@link #others} that stands for the extended resources of a pod that has more than Holdfast reads. So
     * no node where such a pod runs has room for another pod that requests extended resources.
     */
    public static final String UNREAD = "not read";

    private static final Resources NONE = new Resources(0, 0, 0, 0, Map.of());

    public Resources {
        others = others.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(others));
    }

    /** {@return the same amounts, without extended resources but with the name that stands for unread ones} */
    public Resources withUnreadOthers() {
        return new Resources(milliCpu, memory, ephemeralStorage, pods, Map.of(UNREAD, 1L));
    }

    /** {@return zero of every resource} */
    public static Resources none() {
        return NONE;
    }
}
