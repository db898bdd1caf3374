package dev.holdfast.it.fault;

import java.time.Duration;

/**
 * How long faults are played: shortly in the normal build, fully by {@code it/long}, or for so many hundredths of that.
 */
final class FaultDuration {
    /** Hundredths of the full length; absent in the normal build. */
    private static final int PERCENT = Integer.getInteger("holdfast.faults.percent", 0);

    private FaultDuration() {}

    /** {@return how long to play, at least the short time} */
    static Duration of(Duration brief, Duration full) {
        Duration wanted = full.multipliedBy(PERCENT).dividedBy(100);
        return wanted.compareTo(brief) < 0 ? brief : wanted;
    }
}
