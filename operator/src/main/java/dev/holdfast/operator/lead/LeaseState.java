package dev.holdfast.operator.lead;

import dev.holdfast.operator.config.LeaseSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What this replica knows of the lease, and what follows from it. An immutable value: every event makes a new one.
 *
 * <p>It trusts no other machine's clock. How old another's claim is counts from when this replica first saw it, and how
 * old its own is from just before it sent the renewal that was confirmed.
 *
 * @param seen the lease as last seen
 * @param seenAt since when it has been seen unchanged, or gone, by the steady clock
 * @param gone whether it was not there any more when it was last looked for
 * @param renewal the moment before the last confirmed renewal was sent; present exactly while this replica holds it
 */
record LeaseState(
        LeaseSettings settings,
        String identity,
        Optional<LeaseRecord> seen,
        Instant seenAt,
        boolean gone,
        Optional<ClockReading> renewal) {
    /** More than this between wall and steady clock means that the machine slept, or that somebody set the clock. */
    private static final Duration MOST_DRIFT = Duration.ofSeconds(1);

    static LeaseState none(LeaseSettings settings, String identity) {
        return new LeaseState(settings, identity, Optional.empty(), Instant.EPOCH, false, Optional.empty());
    }

    /** The lease was read. */
    LeaseState saw(LeaseRecord lease, Instant now) {
        boolean unchanged = !gone && seen.filter(lease::equals).isPresent();
        LeaseState known =
                new LeaseState(settings, identity, Optional.of(lease), unchanged ? seenAt : now, false, renewal);
        return lease.isHeldBy(identity) ? known : known.ended();
    }

    /** The lease was looked for and is not there. */
    LeaseState missed(Instant now) {
        return new LeaseState(settings, identity, seen, gone ? seenAt : now, true, Optional.empty());
    }

    /** Our claim to the lease, sent at this moment, was confirmed. */
    LeaseState confirmed(LeaseRecord lease, ClockReading sent) {
        return new LeaseState(settings, identity, Optional.of(lease), sent.steady(), false, Optional.of(sent));
    }

    /** This replica does not lead any more, whatever the lease says. */
    LeaseState ended() {
        return new LeaseState(settings, identity, seen, seenAt, gone, Optional.empty());
    }

    /** {@return the claim to send now; absent while another's claim must be waited out} */
    Optional<LeaseRecord> claim(ClockReading now) {
        return seen.filter(lease -> mayTake(lease, now.steady()))
                .map(lease -> lease.isHeldBy(identity)
                        ? lease.renewed(settings.duration(), now.wall())
                        : lease.takenBy(identity, settings.duration(), now.wall()));
    }

    /**
     * {@return the lease to make where there is none; absent while the claim must be waited out of another whose lease
     * is gone, since the other acts on until it notices}
     */
    Optional<LeaseRecord> first(ClockReading now) {
        boolean free = seen.isEmpty() || mayTake(seen.get(), now.steady());
        return free
                ? Optional.of(new LeaseRecord(identity, settings.duration(), now.wall(), now.wall(), 0))
                : Optional.empty();
    }

    private boolean mayTake(LeaseRecord lease, Instant now) {
        Duration claimed = lease.duration().compareTo(settings.duration()) > 0 ? lease.duration() : settings.duration();
        return !lease.isHeld() || lease.isHeldBy(identity) || !now.isBefore(seenAt.plus(claimed));
    }

    boolean leads() {
        return renewal.isPresent();
    }

    /** {@return why leading has to end now; empty while it may go on, and when this replica does not lead} */
    Optional<String> mustEnd(ClockReading now) {
        return renewal.flatMap(last -> {
            if (now.driftSince(last).compareTo(MOST_DRIFT) > 0) {
                return Optional.of("wall and steady clock have drifted apart by more than a second");
            }
            return age(last, now).compareTo(settings.renewDeadline()) >= 0
                    ? Optional.of("the lease was not renewed for "
                            + settings.renewDeadline().toSeconds() + " s")
                    : Optional.empty();
        });
    }

    /** {@return whether a request that gets this long to be answered may be sent now} */
    boolean allows(Duration requestTimeout, ClockReading now) {
        return renewal.filter(last -> mustEnd(now).isEmpty())
                .filter(last -> age(last, now).plus(requestTimeout).compareTo(settings.renewDeadline()) < 0)
                .isPresent();
    }

    private static Duration age(ClockReading last, ClockReading now) {
        return Duration.between(last.steady(), now.steady());
    }
}
