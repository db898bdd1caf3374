package dev.holdfast.policies.engine.protocol.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The clocks to write now.
 *
 * @param number increases with each write
 * @param at an instant at which all these clocks ran, those of the unchanged parts too
 * @param changed the clocks of the parts that changed since they were last written, by part
 * @param unchanged the other parts that have clocks
 */
public record ClockWrite(long number, Instant at, Map<Integer, List<RememberedClock>> changed, Set<Integer> unchanged) {
    public ClockWrite {
        changed = Map.copyOf(changed);
        unchanged = Set.copyOf(unchanged);
    }
}
