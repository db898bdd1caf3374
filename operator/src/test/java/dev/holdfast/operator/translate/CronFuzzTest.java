package dev.holdfast.operator.translate;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.holdfast.operator.decode.ForeignBytes;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.selector.ParseResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzz test of schedules of windows, as users write them. */
class CronFuzzTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    /** No text is an exception: the schedule or the reason why it is refused is the value. */
    private static final class None extends Exception {
        private static final long serialVersionUID = 1L;
    }

    @MethodSource("texts")
    @FuzzTest
    void aScheduleIsReadTheSameTwiceAndItsNextStartIsLater(byte[] input) {
        ForeignBytes.isReadAlike(None.class, input, CronFuzzTest::schedule, CronFuzzTest::schedule);
    }

    private static Object schedule(byte[] bytes) {
        return switch (CronSchedule.of(new String(bytes, StandardCharsets.UTF_8))) {
            case ParseResult.Usable<CronSchedule>(CronSchedule schedule) -> List.of(schedule, next(schedule));
            case ParseResult.Unusable<CronSchedule>(String why) -> why;
        };
    }

    private static Object next(CronSchedule schedule) {
        return schedule.next(NOW, ZONE)
                .<Object>map(at -> {
                    if (!at.isAfter(NOW)) {
                        throw new IllegalStateException(schedule + " starts at " + at);
                    }
                    return at;
                })
                .orElse("never");
    }

    static Stream<byte[]> texts() {
        return Stream.of("0 2 * * 1-5", "@daily", "*/15 8-18 1,15 JAN-MAR MON", "0 0 31 2 *", "0 2 29 2 *", "1 2 3")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }
}
