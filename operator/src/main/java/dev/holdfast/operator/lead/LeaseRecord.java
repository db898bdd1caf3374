package dev.holdfast.operator.lead;

import java.time.Duration;
import java.time.Instant;

/**
 * The content of the leader election Lease.
 *
 * @param holder the identity of the replica that holds the Lease; empty if no replica holds it
 * @param duration how long other replicas must wait after a renewal before they may take the Lease
 * @param acquireTime when the holder acquired the Lease, by the holder's wall clock
 * @param renewTime when the holder last renewed the Lease, by the holder's wall clock
 * @param transitions how often the holder has changed
 */
record LeaseRecord(String holder, Duration duration, Instant acquireTime, Instant renewTime, int transitions) {
    boolean isHeld() {
        return !holder.isEmpty();
    }

    boolean isHeldBy(String identity) {
        return holder.equals(identity);
    }

    /** {@return whether the holder has not changed between this lease and the other, so that no other replica
     * held it in between} */
    boolean isSameTermAs(LeaseRecord other) {
        return holder.equals(other.holder) && transitions == other.transitions && acquireTime.equals(other.acquireTime);
    }

    /** {@return the same lease, renewed by its holder} */
    LeaseRecord renewed(Duration newDuration, Instant wall) {
        return new LeaseRecord(holder, newDuration, acquireTime, wall, transitions);
    }

    /** {@return the lease, held by a new holder} */
    LeaseRecord takenBy(String identity, Duration newDuration, Instant wall) {
        return new LeaseRecord(identity, newDuration, wall, wall, transitions + 1);
    }

    /** {@return the lease without a holder, which any replica can acquire at once} */
    LeaseRecord released(Instant wall) {
        return new LeaseRecord("", Duration.ofSeconds(1), acquireTime, wall, transitions);
    }
}
