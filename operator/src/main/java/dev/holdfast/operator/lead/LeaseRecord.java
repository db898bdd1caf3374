package dev.holdfast.operator.lead;

import java.time.Duration;
import java.time.Instant;

/**
 * What stands in the Lease.
 *
 * @param holder empty when nobody has it
 * @param duration how long after a renewal others must wait
 * @param acquireTime when the holder took it, by the holder's wall clock
 * @param renewTime when the holder last renewed it, by the holder's wall clock
 * @param transitions how often it has changed hands
 */
record LeaseRecord(String holder, Duration duration, Instant acquireTime, Instant renewTime, int transitions) {
    boolean isHeld() {
        return !holder.isEmpty();
    }

    boolean isHeldBy(String identity) {
        return holder.equals(identity);
    }

    /** {@return the same lease, renewed by its holder} */
    LeaseRecord renewed(Duration newDuration, Instant wall) {
        return new LeaseRecord(holder, newDuration, acquireTime, wall, transitions);
    }

    /** {@return the lease in the hands of a new holder} */
    LeaseRecord takenBy(String identity, Duration newDuration, Instant wall) {
        return new LeaseRecord(identity, newDuration, wall, wall, transitions + 1);
    }

    /** {@return the lease in nobody's hands, so that nobody has to wait} */
    LeaseRecord released(Instant wall) {
        return new LeaseRecord("", Duration.ofSeconds(1), acquireTime, wall, transitions);
    }
}
