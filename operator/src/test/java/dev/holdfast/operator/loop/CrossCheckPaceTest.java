package dev.holdfast.operator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CrossCheckPaceTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final CrossCheckPace pace = new CrossCheckPace(START);
    private Instant now = pace.next();

    private CrossCheckPaceTest takes(int micros) {
        return takes(micros, 1);
    }

    private CrossCheckPaceTest takes(int micros, int verdicts) {
        Instant began = now;
        now = now.plusNanos(micros * 1_000L);
        pace.took(began, now, verdicts);
        return this;
    }

    @Test
    void aComparisonIsFollowedByAHundredTimesItsTimeForAllElse() {
        takes(5_000);

        assertThat(pace.next()).isEqualTo(now.plusMillis(500));
    }

    @Test
    void aShortComparisonIsFollowedByAFifthOfASecond() {
        takes(10);

        assertThat(pace.next()).isEqualTo(now.plusMillis(200));
    }

    @Test
    void theNumberGrowsWhileAComparisonTakesLessThanHalfAMillisecondAndStaysBelowOne() {
        takes(100).takes(200).takes(400).takes(800);

        assertThat(pace.event()).isEqualTo(new Event.TimeToCompare(8));
    }

    @Test
    void theNumberIsHalvedWhenItTookLongerThanAMillisecondAndNeverLessThanOne() {
        takes(100).takes(100).takes(4_000);
        assertThat(pace.event()).isEqualTo(new Event.TimeToCompare(2));

        takes(4_000).takes(4_000).takes(4_000);
        assertThat(pace.event()).isEqualTo(new Event.TimeToCompare(1));
    }

    @Test
    void asLongAsThereIsNothingToCompareTheNumberDoesNotGrow() {
        takes(1, 0).takes(1, 0).takes(1, 0);

        assertThat(pace.event()).isEqualTo(new Event.TimeToCompare(1));
    }

    @Test
    void theNumberNeverGrowsBeyond32() {
        for (int i = 0; i < 10; i++) {
            takes(1);
        }

        assertThat(pace.event()).isEqualTo(new Event.TimeToCompare(32));
    }
}
