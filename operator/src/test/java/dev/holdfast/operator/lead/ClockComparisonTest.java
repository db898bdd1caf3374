package dev.holdfast.operator.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.plan.controls.WallClock;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the comparison of the wall clock with the header {@code Date}. The machine starts at 12:00:00.000. */
class ClockComparisonTest {
    private static final String NOON = "Fri, 20 Nov 2026 12:00:00 GMT";

    private final HandClock hand = new HandClock();
    private final ClockComparison comparison = new ClockComparison(hand.clock());

    /** Lets a request take this time; its response has this date. */
    private void compare(Duration taken, String date) {
        ClockReading sent = comparison.reading();
        hand.passes(taken);
        comparison.compare(sent, comparison.reading(), Optional.of(date));
    }

    private void compare(String date) {
        compare(Duration.ZERO, date);
    }

    static Stream<Arguments> dates() {
        return Stream.of(
                argumentSet("the same second", 0, "12:00:00", ""),
                // The API server's clock showed 11:59:55.000 to 11:59:55.999.
                argumentSet("at most 5 s ahead", 0, "11:59:55", ""),
                argumentSet("more than 5 s ahead", 0, "11:59:53", "7s ahead of"),
                argumentSet("at most 5 s behind", 0, "12:00:05", ""),
                argumentSet("more than 5 s behind", 0, "12:00:06", "7s behind"),
                argumentSet("more than 5 s behind, by a request that took 3 s", 3_000, "12:00:10", "9s behind"),
                argumentSet("perhaps 5 s behind, by a request that took 3 s", 3_000, "12:00:08", ""),
                argumentSet("perhaps 5 s ahead, by a request that took 3 s", 3_000, "11:59:55", ""),
                argumentSet("hours behind", 0, "15:02:03", "3h2m4s behind"),
                argumentSet("minutes ahead", 0, "11:50:00", "10m ahead of"));
    }

    @Test
    void aClockThatDisagreedIsTrustedAgainWithin4Seconds() {
        compare(Duration.ZERO, "Fri, 20 Nov 2026 12:00:07 GMT");
        compare(Duration.ZERO, "Fri, 20 Nov 2026 12:00:05 GMT");
        assertThat(comparison.wallClock().problem()).isPresent();

        compare(Duration.ZERO, "Fri, 20 Nov 2026 12:00:04 GMT");
        assertThat(comparison.wallClock().problem()).isEmpty();
        compare(Duration.ZERO, "Fri, 20 Nov 2026 12:00:05 GMT");
        assertThat(comparison.wallClock().problem()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dates")
    void theClockIsTrustedIfItAgreesWithin5SecondsOrIfTheRequestWasTooSlowToTell(
            int millis, String time, String difference) {
        compare(Duration.ofMillis(millis), "Fri, 20 Nov 2026 " + time + " GMT");

        assertThat(comparison.wallClock().problem())
                .isEqualTo(
                        difference.isEmpty()
                                ? Optional.empty()
                                : Optional.of("the clock of this machine is " + difference
                                        + " the API server's: correct it"));
    }

    @Test
    void theClockIsNotTrustedBeforeTheFirstValidDate() {
        assertThat(comparison.wallClock()).isEqualTo(WallClock.notCompared());
        compare("yesterday");
        comparison.compare(comparison.reading(), comparison.reading(), Optional.empty());

        assertThat(comparison.wallClock()).isEqualTo(WallClock.notCompared());
        assertThat(comparison.aheadSeconds()).isEmpty();
    }

    @Test
    void aComparisonCountsFor5MinutesWithoutAnother() {
        compare(NOON);
        hand.passes(Duration.ofMinutes(5));
        compare("");
        assertThat(comparison.wallClock()).isEqualTo(WallClock.trusted(Duration.ZERO));

        hand.passes(Duration.ofMillis(1));

        assertThat(comparison.wallClock().problem())
                .contains("the clock of this machine could not be compared with the API server's for 5m: no response"
                        + " with a valid Date arrived");
    }

    @Test
    void aClockThatWasSetIsNotTrustedUntilItIsComparedAgain() {
        compare(NOON);
        hand.wallMoves(Duration.ofSeconds(3));
        assertThat(comparison.wallClock())
                .isEqualTo(WallClock.untrusted(
                        Duration.ofSeconds(3),
                        "the clock of this machine was set, or the machine slept, since the clock was last compared"
                                + " with the API server's"));

        compare(NOON);

        assertThat(comparison.wallClock()).isEqualTo(WallClock.trusted(Duration.ofSeconds(3)));
    }

    @Test
    void aClockThatIsSetDuringTheRequestIsNotComparedByIt() {
        compare(NOON);
        ClockReading sent = comparison.reading();
        hand.wallMoves(Duration.ofHours(1));
        comparison.compare(sent, comparison.reading(), Optional.of("Fri, 20 Nov 2026 13:00:00 GMT"));

        assertThat(comparison.wallClock().problem()).isPresent();
    }

    @Test
    void theMessageStaysWhileTheDifferenceChangesByLessThan3Seconds() {
        compare("Fri, 20 Nov 2026 11:50:00 GMT");
        Optional<String> first = comparison.wallClock().problem();
        compare("Fri, 20 Nov 2026 11:49:58 GMT");
        assertThat(comparison.wallClock().problem()).isEqualTo(first);
        assertThat(comparison.aheadSeconds()).hasValue(601.5);

        compare("Fri, 20 Nov 2026 11:49:50 GMT");

        assertThat(comparison.wallClock().problem())
                .contains("the clock of this machine is 10m10s ahead of the API server's: correct it");
    }
}
