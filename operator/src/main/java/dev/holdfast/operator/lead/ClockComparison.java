package dev.holdfast.operator.lead;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.policies.plan.controls.WallClock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Compares the wall clock of this machine with the API server's, which each response shows in its header {@code Date}.
 * The comparison tolerates a difference of 5 s, the time that the request took, and the second to which {@code Date} is
 * rounded down. After a disagreement, the comparison tolerates 4 s. Thread-safe.
 */
public final class ClockComparison {
    private static final Duration MOST_DIFFERENCE = Duration.ofSeconds(5);

    /** A clock that disagreed must be within this before it is trusted again, so that trust does not flap. */
    private static final Duration MOST_AFTER_DISAGREEMENT = Duration.ofSeconds(4);

    private static final Duration DATE_RESOLUTION = Duration.ofSeconds(1);

    /** How long the result of a comparison counts while no response has a valid {@code Date}. */
    private static final Duration LONGEST_AGE = Duration.ofMinutes(5);

    /**
     * The largest tolerated change of the difference between the monotonic and the wall clock since the last
     * comparison. A larger one means that the machine slept or the wall clock was set.
     */
    private static final Duration MOST_DRIFT = Duration.ofSeconds(1);

    /** A smaller change of the measured difference does not change messages. */
    private static final Duration SAME_DIFFERENCE = Duration.ofSeconds(3);

    private final SteadyClock clock;

    @GuardedBy("this")
    private Optional<Compared> last = Optional.empty();

    @GuardedBy("this")
    private Optional<Duration> steadyAhead = Optional.empty();

    /**
     * A result of one comparison.
     *
     * @param at the two clocks when the response arrived
     * @param ahead how far the wall clock is ahead of the API server's clock; negative if it is behind
     * @param shown the value of {@code ahead} that messages show; it changes only by steps of some seconds
     * @param agrees whether the difference is within the tolerance
     */
    private record Compared(ClockReading at, Duration ahead, Duration shown, boolean agrees) {}

    ClockComparison(SteadyClock clock) {
        this.clock = clock;
    }

    /** {@return the clocks of this machine, read now} */
    ClockReading reading() {
        return ClockReading.now(clock);
    }

    /**
     * Compares the clocks by one response. Ignores the response if its {@code Date} is missing or malformed, or if the
     * wall clock was set between request and response.
     *
     * @param sent the clocks just before the request was sent
     * @param received the clocks just after the response arrived
     * @param date the header {@code Date} of the response; absent if it has none
     */
    void compare(ClockReading sent, ClockReading received, Optional<String> date) {
        Optional<Instant> server = date.flatMap(ClockComparison::parse);
        if (server.isEmpty() || received.driftSince(sent).compareTo(MOST_DRIFT) > 0) {
            return;
        }
        Duration taken = Duration.between(sent.steady(), received.steady());
        // The API server wrote Date at some time between request and response, and rounded it down to a second.
        Duration ahead = Duration.between(
                server.get().plus(DATE_RESOLUTION.dividedBy(2)), received.wall().minus(taken.dividedBy(2)));
        Duration tolerance = mostDifference().plus(taken.plus(DATE_RESOLUTION).dividedBy(2));
        compared(received, ahead, ahead.abs().compareTo(tolerance) <= 0);
        if (taken.compareTo(DATE_RESOLUTION) <= 0) {
            exactly(ahead.minus(received.offset()));
        }
    }

    private synchronized void exactly(Duration ahead) {
        steadyAhead = Optional.of(ahead);
    }

    private synchronized Duration mostDifference() {
        return last.filter(it -> !it.agrees()).isPresent() ? MOST_AFTER_DISAGREEMENT : MOST_DIFFERENCE;
    }

    private void compared(ClockReading at, Duration ahead, boolean agrees) {
        synchronized (this) {
            Duration shown = last.map(Compared::shown)
                    .filter(it -> it.minus(ahead).abs().compareTo(SAME_DIFFERENCE) <= 0)
                    .orElse(ahead);
            last = Optional.of(new Compared(at, ahead, shown, agrees));
        }
    }

    private static Optional<Instant> parse(String date) {
        try {
            return Optional.of(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /**
     * {@return the wall clock, read now, and whether the last comparison still says that it agrees with the API
     * server's}
     */
    public WallClock wallClock() {
        ClockReading now = reading();
        Optional<Compared> compared;
        synchronized (this) {
            compared = last;
        }
        return compared.map(it -> wallClock(it, now)).orElseGet(WallClock::notCompared);
    }

    private static WallClock wallClock(Compared compared, ClockReading now) {
        Duration drift = now.driftSince(compared.at());
        if (drift.compareTo(MOST_DRIFT) > 0) {
            return WallClock.untrusted(
                    now.offset(),
                    "the clock of this machine was set, or the machine slept, since the clock was last compared with"
                            + " the API server's");
        }
        if (!compared.agrees()) {
            return WallClock.untrusted(
                    now.offset(),
                    "the clock of this machine is " + text(compared.shown().abs())
                            + (compared.shown().isNegative() ? " behind" : " ahead of")
                            + " the API server's: correct it");
        }
        return Duration.between(compared.at().steady(), now.steady()).compareTo(LONGEST_AGE) > 0
                ? WallClock.untrusted(
                        now.offset(),
                        "the clock of this machine could not be compared with the API server's for "
                                + LONGEST_AGE.toMinutes() + "m: no response with a valid Date arrived")
                : WallClock.trusted(now.offset());
    }

    private static String text(Duration duration) {
        Duration rounded = duration.plusMillis(500);
        return Duration.ofSeconds(rounded.toSeconds()).toString().substring(2).toLowerCase(Locale.ROOT);
    }

    /**
     * {@return how far the monotonic clock is ahead of the API server's clock, exact to about a second; empty before
     * the first response that took at most a second}
     */
    public synchronized Optional<Duration> steadyAhead() {
        return steadyAhead;
    }

    /**
     * {@return by how many seconds the wall clock was ahead of the API server's clock at the last comparison, negative
     * if it was behind; empty before the first comparison}
     */
    public OptionalDouble aheadSeconds() {
        Optional<Compared> compared;
        synchronized (this) {
            compared = last;
        }
        return compared.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(compared.get().ahead().toMillis() / 1_000.0);
    }
}
