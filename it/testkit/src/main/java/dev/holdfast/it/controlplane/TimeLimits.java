package dev.holdfast.it.controlplane;

import java.time.Duration;

/** The time limits of waits. A machine that is ten times slower than an idle one keeps them. */
public final class TimeLimits {
    /** The limit of one answer of a server, and of the end of a process that was asked to end. */
    public static final Duration ANSWER = Duration.ofMinutes(1);

    /** The limit of the time until an expected state is reached. */
    public static final Duration STATE = Duration.ofMinutes(5);

    /** The limit of a test that reads the output of other processes, in minutes. */
    public static final int TEST_MINUTES = 20;

    private TimeLimits() {}
}
