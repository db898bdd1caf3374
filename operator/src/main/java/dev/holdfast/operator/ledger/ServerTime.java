package dev.holdfast.operator.ledger;

import java.time.Duration;
import java.time.Instant;

/**
 * Converts between the engine's clock and the API server's. The ledger has the API server's time, because the clocks of
 * two processes may be hours apart.
 *
 * @param steadyAhead how far the engine's clock is ahead of the API server's; negative if it is behind
 * @param now the present time by the engine's clock
 */
record ServerTime(Duration steadyAhead, Instant now) {
    /**
     * The comparison of clocks is exact to one second in each of two processes. What is read counts as later by this, so
     * that no limit and no wait ends early.
     */
    private static final Duration INEXACT = Duration.ofSeconds(2);

    /** The ledger has no earlier time: arithmetic with the earliest instants overflows. */
    private static final Instant EARLIEST = Instant.parse("1900-01-01T00:00:00Z");

    /** {@return an instant of the engine's clock by the API server's clock} */
    Instant toServer(Instant steady) {
        return steady.minus(steadyAhead);
    }

    /**
     * {@return an instant of the API server's clock, as it was stored, by the engine's clock} It is at most now: the
     * ledger has no time of the future.
     */
    Instant toSteady(Instant server) {
        if (server.isBefore(EARLIEST)) {
            throw new IllegalArgumentException("an instant before " + EARLIEST);
        }
        Instant latest = now.minus(INEXACT).minus(steadyAhead);
        return server.isAfter(latest) ? now : server.plus(steadyAhead).plus(INEXACT);
    }
}
