package dev.holdfast.it.bench;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/** Printer of progress lines, each with the seconds since the start. */
final class Progress {
    private static final double MILLIS = 1e3;

    private final PrintStream out;
    private final InstantSource clock;
    private final Instant start;

    Progress(PrintStream out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
        this.start = clock.instant();
    }

    void say(String text) {
        double seconds = Duration.between(start, clock.instant()).toMillis() / MILLIS;
        out.printf(Locale.ROOT, "%7.1fs  %s%n", seconds, text);
    }
}
