package dev.holdfast.it.bench;

import java.util.List;

/**
 * What large objects of one kind did to the operator. A list is empty if the operator had ended before, and has one
 * value otherwise.
 *
 * @param bytes the size of each object in etcd
 * @param watching the operator that ran when the objects were created
 * @param listing the operator that was started when they were there
 */
record HostileOutcome(String kind, int bytes, List<Watching> watching, List<Listing> listing) {
    HostileOutcome {
        watching = List.copyOf(watching);
        listing = List.copyOf(listing);
    }

    /**
     * An operator that saw the objects come.
     *
     * @param changes the latencies of changes while the objects are written again
     */
    record Watching(double peakMiB, ChangeLatencies changes) {}

    /**
     * An operator that found the objects at its start.
     *
     * @param seconds from the start of the process until all pods are evaluated
     */
    record Listing(double seconds, double peakMiB) {}
}
