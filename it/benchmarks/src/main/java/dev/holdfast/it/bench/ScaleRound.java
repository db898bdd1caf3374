package dev.holdfast.it.bench;

import java.util.List;

/**
 * The measurements of one round: curl, the operator and the descheduler each read the cluster once. Every second round
 * runs in reverse order.
 *
 * @param peer the read by the descheduler; an empty list if the descheduler was skipped
 */
record ScaleRound(CurlRead floor, ClusterRead holdfast, List<ClusterRead> peer) {
    ScaleRound {
        peer = List.copyOf(peer);
    }
}
