package dev.holdfast.it.fault;

import java.time.Duration;

/** The length of faults: short in the normal build, full with {@code it/long}, or a percentage of the full length. */
final class FaultDuration {
    /** The percentage of the full length; absent in the normal build. */
    private static final int PERCENT = Integer.getInteger("holdfast.faults.percent", 0);

    private FaultDuration() {}

    /** {@return the length of a fault, at least the short one} */
    static Duration of(Duration brief, Duration full) {
        Duration wanted = full.multipliedBy(PERCENT).dividedBy(100);
        return wanted.compareTo(brief) < 0 ? brief : wanted;
    }
}
