package dev.holdfast.operator.offline.print;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times after a beginning, as people write them. */
public final class TimeText {
    private static final Pattern TIME = Pattern.compile("(?:(\\d{1,5})h)?(?:(\\d{1,5})m)?(?:(\\d{1,6})s)?");
    private static final long MINUTE = 60;

    private TimeText() {}

    /** {@return the time that a text means: {@code 90s}, {@code 15m}, {@code 1h30m}; empty if it means none} */
    public static Optional<Duration> parse(String text) {
        Matcher parts = TIME.matcher(text);
        return text.isEmpty() || !parts.matches()
                ? Optional.empty()
                : Optional.of(Duration.ofHours(number(parts.group(1)))
                        .plusMinutes(number(parts.group(2)))
                        .plusSeconds(number(parts.group(3))));
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** {@return a time in whole seconds without parts that are zero: {@code 2h}, {@code 5m31s}, {@code 0s}} */
    public static String of(Duration time) {
        long seconds = time.toSeconds();
        long minutes = seconds / MINUTE;
        String text = part(minutes / MINUTE, "h") + part(minutes % MINUTE, "m") + part(seconds % MINUTE, "s");
        return text.isEmpty() ? "0s" : text;
    }

    private static String part(long number, String unit) {
        return number == 0 ? "" : number + unit;
    }
}
