package dev.holdfast.it.bench.report;

import java.util.List;

/**
 * All who read the cluster once, one after the other; every second round in the opposite order.
 *
 * @param peer one, or none where it was left out
 */
public record ScaleRound(FloorFigures floor, LookFigures holdfast, List<LookFigures> peer) {
    public ScaleRound {
        peer = List.copyOf(peer);
    }
}
