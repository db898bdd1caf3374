package dev.holdfast.operator.lead;

import dev.holdfast.operator.config.LeaseSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of leader election in this replica: the lease as last seen, and whether this replica leads. Immutable; each
 * change returns a new state.
 *
 * <p>The clocks of other machines are not used. When this replica sees that another replica has renewed the lease, it
 * treats the lease as valid for the lease's full duration from then on. While this replica leads, it measures the age
 * of the lease from just before it sent the last confirmed renewal.
 *
 * @param seen the lease as last seen
 * @param seenAt when this replica first saw the lease with this content, or first saw that it does not exist, by the
 *     monotonic clock
 * @param gone whether the lease did not exist at the last read
 * @param renewal the two clocks just before the last confirmed renewal was sent; present exactly while this replica
 *     leads
 */
record LeaseState(
        LeaseSettings settings,
        String identity,
        Optional<LeaseRecord> seen,
        Instant seenAt,
        boolean gone,
        Optional<ClockReading> renewal) {
    /**
     * The largest tolerated change, since the last renewal, of the difference between the monotonic and the wall clock.
     * A larger one means that the machine slept or the wall clock was set: this replica stops leading.
     */
    private static final Duration MOST_DRIFT = Duration.ofSeconds(1);

    static LeaseState none(LeaseSettings settings, String identity) {
        return new LeaseState(settings, identity, Optional.empty(), Instant.EPOCH, false, Optional.empty());
    }

    /**
     * {@return the state after a read that found this lease} If this replica does not hold the lease, it does not lead
     * in the new state.
     */
    LeaseState saw(LeaseRecord lease, Instant now) {
        boolean unchanged = !gone && seen.filter(lease::equals).isPresent();
        LeaseState known =
                new LeaseState(settings, identity, Optional.of(lease), unchanged ? seenAt : now, false, renewal);
        return lease.isHeldBy(identity) ? known : known.ended();
    }

    /** {@return the state after a read that found no lease} */
    LeaseState missed(Instant now) {
        return new LeaseState(settings, identity, seen, gone ? seenAt : now, true, Optional.empty());
    }

    /** {@return the state after the API server accepted the lease that this replica wrote at the given time} */
    LeaseState confirmed(LeaseRecord lease, ClockReading sent) {
        return new LeaseState(settings, identity, Optional.of(lease), sent.steady(), false, Optional.of(sent));
    }

    /** {@return this state, but with leadership ended: this replica does not lead, even if it holds the lease} */
    LeaseState ended() {
        return new LeaseState(settings, identity, seen, seenAt, gone, Optional.empty());
    }

    /**
     * {@return the lease to write now, to acquire or renew it; empty if this replica has not read a lease yet, or if
     * another replica holds a lease that has not expired}
     */
    Optional<LeaseRecord> claim(ClockReading now) {
        return seen.filter(lease -> mayTake(lease, now.steady()))
                .map(lease -> lease.isHeldBy(identity)
                        ? lease.renewed(settings.duration(), now.wall())
                        : lease.takenBy(identity, settings.duration(), now.wall()));
    }

    /**
     * {@return the lease to create when none exists} Empty if another replica held the deleted lease and its duration
     * has not passed: that replica may still act until it notices the deletion.
     */
    Optional<LeaseRecord> first(ClockReading now) {
        boolean free = seen.isEmpty() || mayTake(seen.get(), now.steady());
        return free
                ? Optional.of(new LeaseRecord(identity, settings.duration(), now.wall(), now.wall(), 0))
                : Optional.empty();
    }

    private boolean mayTake(LeaseRecord lease, Instant now) {
        return !lease.isHeld() || lease.isHeldBy(identity) || !now.isBefore(expires(lease));
    }

    private Instant expires(LeaseRecord lease) {
        Duration claimed = lease.duration().compareTo(settings.duration()) > 0 ? lease.duration() : settings.duration();
        return seenAt.plus(claimed);
    }

    /**
     * {@return how long to wait before the next look at the lease} A replica that does not lead looks four times as
     * often as the leader renews, and at the moment when the lease expires. So with the default settings a replica
     * takes over at most 15.5 s after the last renewal, which it sees up to 0.5 s late.
     */
    Duration pause(Instant now) {
        if (leads()) {
            return settings.retryPeriod();
        }
        Duration pause = settings.retryPeriod().dividedBy(4);
        return seen.filter(lease -> lease.isHeld() && !lease.isHeldBy(identity))
                .map(lease -> Duration.between(now, expires(lease)))
                .filter(left -> left.isPositive() && left.compareTo(pause) < 0)
                .orElse(pause);
    }

    /**
     * {@return when the lead of this replica ends if no further renewal succeeds: its renew deadline; empty if it does
     * not lead}
     */
    Optional<Instant> leadsUntil() {
        return renewal.map(last -> last.steady().plus(settings.renewDeadline()));
    }

    boolean leads() {
        return renewal.isPresent();
    }

    /** {@return why leadership must end now; empty if it may continue, or if this replica does not lead} */
    Optional<String> mustEnd(ClockReading now) {
        return renewal.flatMap(last -> {
            if (drifted(last, now)) {
                return Optional.of("the wall clock and the monotonic clock drifted apart by more than a second");
            }
            return age(last, now).compareTo(settings.renewDeadline()) >= 0
                    ? Optional.of("the lease was not renewed for "
                            + settings.renewDeadline().toSeconds() + " s")
                    : Optional.empty();
        });
    }

    /** {@return whether the machine slept or the wall clock was set since an earlier reading} */
    static boolean drifted(ClockReading earlier, ClockReading now) {
        return now.driftSince(earlier).compareTo(MOST_DRIFT) > 0;
    }

    /**
     * {@return whether this replica leads now, and will still lead after this timeout even if no further renewal
     * succeeds}
     */
    boolean allows(Duration requestTimeout, ClockReading now) {
        return renewal.filter(last -> mustEnd(now).isEmpty())
                .filter(last -> age(last, now).plus(requestTimeout).compareTo(settings.renewDeadline()) < 0)
                .isPresent();
    }

    private static Duration age(ClockReading last, ClockReading now) {
        return Duration.between(last.steady(), now.steady());
    }
}
