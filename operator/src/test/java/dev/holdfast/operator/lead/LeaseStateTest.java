package dev.holdfast.operator.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.LeaseSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LeaseStateTest {
    /** Lease duration 15 s, renew deadline 10 s. */
    private static final LeaseSettings SETTINGS =
            new LeaseSettings("hf", "holdfast", Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private static final Instant T0 = HandClock.START;
    private static final Duration REQUEST = Duration.ofSeconds(3);

    static Stream<Arguments> ages() {
        return Stream.of(
                argumentSet("just renewed: 0 + 3 < 10", at(0), true, Optional.empty()),
                argumentSet("6.999 + 3 < 10", at(6_999), true, Optional.empty()),
                argumentSet(
                        "7 + 3 is not less than 10, but the lease is not lost yet", at(7_000), false, Optional.empty()),
                argumentSet("9.999 s old", at(9_999), false, Optional.empty()),
                argumentSet("10 s old", at(10_000), false, Optional.of("the lease was not renewed for 10 s")),
                argumentSet("one second of drift is tolerated", drifted(1_000), true, Optional.empty()),
                argumentSet(
                        "the wall clock was set forward, or the machine slept: 1.001 s of drift",
                        drifted(1_001),
                        false,
                        Optional.of("the wall clock and the monotonic clock drifted apart by more than a second")),
                argumentSet(
                        "the wall clock was set back by an hour",
                        drifted(-3_600_000),
                        false,
                        Optional.of("the wall clock and the monotonic clock drifted apart by more than a second")));
    }

    @ParameterizedTest
    @MethodSource("ages")
    void aHolderMayActWhileItsRenewalCoversTheRequest(ClockReading now, boolean mayAct, Optional<String> mustEnd) {
        LeaseState holder = LeaseState.none(SETTINGS, "me").confirmed(lease("me"), at(0));

        assertThat(holder.allows(REQUEST, now)).isEqualTo(mayAct);
        assertThat(holder.mustEnd(now)).isEqualTo(mustEnd);
    }

    static Stream<Arguments> claims() {
        return Stream.of(
                argumentSet("a lease without a holder is taken at once", lease(""), at(0), true),
                argumentSet("this replica's own lease is renewed", lease("me"), at(0), true),
                argumentSet("the lease of another replica is respected", lease("other"), at(0), false),
                argumentSet("of another replica, unchanged for 14.999 s", lease("other"), at(14_999), false),
                argumentSet("of another replica, unchanged for 15 s", lease("other"), at(15_000), true),
                argumentSet(
                        "of another replica with a duration of 60 s, after 15 s",
                        new LeaseRecord("other", Duration.ofSeconds(60), T0, T0, 4),
                        at(15_000),
                        false),
                argumentSet(
                        "of another replica with a duration of 60 s, after 60 s",
                        new LeaseRecord("other", Duration.ofSeconds(60), T0, T0, 4),
                        at(60_000),
                        true),
                argumentSet(
                        "of another replica with a duration of 1 s: this replica's 15 s apply",
                        new LeaseRecord("other", Duration.ofSeconds(1), T0, T0, 4),
                        at(14_999),
                        false),
                argumentSet(
                        "of another replica whose clock is years behind is respected too",
                        new LeaseRecord("other", Duration.ofSeconds(15), Instant.EPOCH, Instant.EPOCH, 4),
                        at(0),
                        false));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aLeaseIsClaimedWhenNoOtherReplicaCanActOnIt(LeaseRecord seen, ClockReading now, boolean claimed) {
        LeaseState candidate = LeaseState.none(SETTINGS, "me").saw(seen, T0);

        assertThat(candidate.claim(now))
                .map(LeaseRecord::holder)
                .isEqualTo(claimed ? Optional.of("me") : Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aLeaseThatWasRenewedMeanwhileIsWaitedOutAgain(LeaseRecord seen, ClockReading now, boolean claimed) {
        LeaseRecord renewed = seen.renewed(seen.duration(), now.wall().plusMillis(1));
        LeaseState candidate = LeaseState.none(SETTINGS, "me").saw(seen, T0).saw(renewed, now.steady());

        assertThat(candidate.claim(now).isPresent()).isEqualTo(!seen.holder().equals("other"));
    }

    private static LeaseRecord lease(String holder) {
        return new LeaseRecord(holder, Duration.ofSeconds(15), T0, T0, 4);
    }

    private static ClockReading at(long millis) {
        return new ClockReading(T0.plusMillis(millis), T0.plusMillis(millis));
    }

    private static ClockReading drifted(long millis) {
        return new ClockReading(T0.plusSeconds(1), T0.plusSeconds(1).plusMillis(millis));
    }
}
