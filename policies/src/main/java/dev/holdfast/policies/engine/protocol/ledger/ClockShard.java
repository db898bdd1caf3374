package dev.holdfast.policies.engine.protocol.ledger;

import java.time.Instant;
import java.util.List;

/**
 * A part of the clocks.
 *
 * @param until when the last of these violations was surely still running: what they were observed for counts until
 *     then
 */
public record ClockShard(List<RememberedClock> clocks, Instant until) {
    public ClockShard {
        clocks = List.copyOf(clocks);
    }
}
