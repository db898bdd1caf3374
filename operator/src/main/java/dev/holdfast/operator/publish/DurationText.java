package dev.holdfast.operator.publish;

import java.time.Duration;

/** Formats durations in hours, minutes and seconds. */
public final class DurationText {
    private DurationText() {}

    /**
     * {@return the duration, rounded down to seconds: {@code 42s}, {@code 10m2s}, {@code 26h0m5s}; {@code 0s} if
     * negative}
     */
    public static String of(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 60) {
            return minutes + "m" + seconds % 60 + "s";
        }
        return minutes / 60 + "h" + minutes % 60 + "m" + seconds % 60 + "s";
    }
}
