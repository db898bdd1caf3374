package dev.holdfast.policies.engine.protocol.ledger;

import java.time.Instant;
import java.util.List;

/**
 * A part of the stored clocks.
 *
 * @param until when the last of these violations was surely still running: the time that they were observed counts
 *     until then
 */
public record ClockShard(List<RememberedClock> clocks, Instant until) {
    public ClockShard {
        clocks = List.copyOf(clocks);
    }
}
