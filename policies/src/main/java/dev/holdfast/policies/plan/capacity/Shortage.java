package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.model.Resources;

/**
 * A resource of which a node has less than a pod requests.
 *
 * <p>Example: a node has 4 cores, of which its pods request 3.5. For a pod that requests 0.6, {@code requested} is 600,
 * {@code free} is 500, and the text is {@code the pod requests 600m, at most 500m is free}.
 *
 * @param resource its name: {@code cpu}, {@code memory}, {@code ephemeral-storage}, {@code pods} or one of
 *     {@link Resources#others}
 * @param requested the amount that the pod requests, in the unit of {@link Resources}
 * @param free the amount that no other pod on the node requests; 0 if the node is overcommitted
 */
public record Shortage(String resource, long requested, long free) {
    private static final long MEBIBYTE = 1L << 20;
    private static final long CORE = 1000;

    /** {@return the smaller one of two shortages of the same resource, for the same pod} */
    public Shortage smaller(Shortage other) {
        return free >= other.free ? this : other;
    }

    /** {@return the amounts, as text about all nodes that have at most this much} Bytes are rounded to mebibytes. */
    public String describe() {
        return switch (resource) {
            case "cpu" -> describe(cores(requested), cores(free));
            case "memory", "ephemeral-storage" -> describeBytes();
            default -> resource.startsWith("hugepages-") ? describeBytes() : describe("" + requested, "" + free);
        };
    }

    private static String describe(String requested, String free) {
        return "the pod requests " + requested + ", at most " + free + " is free";
    }

    private static String cores(long milliCpu) {
        return milliCpu % CORE == 0 ? "" + milliCpu / CORE : milliCpu + "m";
    }

    /** Rounds the requested amount up and the free amount down, so that the first stays the larger one. */
    private String describeBytes() {
        return describe(Math.ceilDiv(requested, MEBIBYTE) + "Mi", free / MEBIBYTE + "Mi");
    }
}
