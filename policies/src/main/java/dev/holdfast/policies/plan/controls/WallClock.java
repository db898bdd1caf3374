package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The wall clock of the operator's machine, relative to the engine's monotonic clock, and whether the API server's
 * clock agrees with it. Windows, pauses, expiry times and keep-until follow the wall clock. While it is not trusted,
 * windows count as closed, pauses as active, and no expiry time as passed.
 *
 * <p>Example: if the engine's clock shows 12:00:00 and the offset is an hour, the wall clock shows 13:00:00.
 *
 * @param offset how far the wall clock is ahead of the engine's clock; negative if it is behind
 * @param problem why the clock is not trusted and what to do about it, for the messages of holds; absent if it is
 *     trusted
 */
public record WallClock(Duration offset, Optional<String> problem) {
    /** The end of four-digit years. Later times, which only stand for "never", are not converted. */
    private static final Instant FARTHEST = Instant.parse("9999-12-31T00:00:00Z");

    private static final WallClock NOT_COMPARED =
            untrusted(Duration.ZERO, "the clock of this machine has not been compared with the API server's yet");

    /** {@return a wall clock that the API server's clock agrees with} */
    public static WallClock trusted(Duration offset) {
        return new WallClock(offset, Optional.empty());
    }

    /** {@return a wall clock that is not trusted} */
    public static WallClock untrusted(Duration offset, String problem) {
        return new WallClock(offset, Optional.of(problem));
    }

    /** {@return the clock before it is first compared with the API server's: it is not trusted} */
    public static WallClock notCompared() {
        return NOT_COMPARED;
    }

    /** {@return the wall-clock time at an instant of the engine's clock} */
    public Instant wallTime(Instant now) {
        return now.plus(offset);
    }

    /** {@return the instant of the engine's clock at which the wall clock shows this time} */
    public Instant engineTime(Instant wall) {
        return wall.isBefore(FARTHEST) && wall.isAfter(Instant.EPOCH) ? wall.minus(offset) : wall;
    }

    /**
     * {@return a wall-clock time that has been reached for certain at an instant of the engine's clock:
     * {@link Instant#MIN} while the clock is not trusted}
     */
    public Instant certainWallTime(Instant now) {
        return problem.isPresent() ? Instant.MIN : wallTime(now);
    }

    /**
     * {@return whether a wall-clock time has passed at an instant of the engine's clock; false while the clock is not
     * trusted}
     */
    public boolean hasPassed(Instant end, Instant now) {
        return !certainWallTime(now).isBefore(end);
    }

    /** {@return the same hold, with its next look converted from wall-clock time to the engine's time} */
    public Hold inEngineTime(Hold hold) {
        return new Hold(hold.reason(), hold.message(), hold.nextLook().map(this::engineTime));
    }

    /**
     * {@return a hold that depends on a wall-clock time: the given hold, in the engine's time, if the clock is trusted}
     * Otherwise the hold lasts until the clock is trusted again, and its message says why the clock is not trusted.
     */
    public Hold applied(Hold hold) {
        return problem.map(why -> Hold.untilChange(hold.reason(), hold.message() + "; " + why))
                .orElseGet(() -> inEngineTime(hold));
    }
}
