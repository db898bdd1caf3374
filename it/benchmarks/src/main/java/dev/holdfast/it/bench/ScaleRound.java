package dev.holdfast.it.bench;

import java.util.List;

/**
 * All who read the cluster once, one after the other; every second round in the opposite order.
 *
 * @param peer one, or none where it was left out
 */
record ScaleRound(CurlRead floor, ClusterRead holdfast, List<ClusterRead> peer) {
    ScaleRound {
        peer = List.copyOf(peer);
    }
}
