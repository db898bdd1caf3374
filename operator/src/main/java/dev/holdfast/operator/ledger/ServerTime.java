package dev.holdfast.operator.ledger;

import dev.holdfast.policies.engine.protocol.ledger.Ledger;
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
    /** The ledger has no earlier time: arithmetic with the earliest instants overflows. */
    private static final Instant EARLIEST = Instant.parse("1900-01-01T00:00:00Z");

    /**
     * {@return whether a stored time of the API server's clock lies in the future, so that no clock can tell its age}
     */
    boolean isFuture(long serverMillis) {
        return Instant.ofEpochMilli(serverMillis).isAfter(toServer(now).plus(Ledger.READ_LATER));
    }

    /** {@return an instant of the engine's clock by the API server's clock} */
    Instant toServer(Instant steady) {
        return steady.minus(steadyAhead);
    }

    /**
     * {@return a stored instant of the API server's clock, converted to the engine's clock: a little later, but at most
     * now, because the ledger has no future times}
     */
    Instant toSteady(Instant server) {
        if (server.isBefore(EARLIEST)) {
            throw new IllegalArgumentException("an instant before " + EARLIEST);
        }
        Instant latest = now.minus(Ledger.READ_LATER).minus(steadyAhead);
        return server.isAfter(latest) ? now : server.plus(steadyAhead).plus(Ledger.READ_LATER);
    }
}
