package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackOffTest {
    private static List<Long> millis(BackOff backOff, int number) {
        return Stream.generate(backOff::next)
                .limit(number)
                .map(it -> it.toMillis())
                .toList();
    }

    @Test
    void eachPauseIsTwiceTheLastUpToTwentySeconds() {
        assertThat(millis(new BackOff(_ -> 0), 8))
                .containsExactly(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 20_000L, 20_000L);
    }

    @Test
    void eachIsUpToHalfAsLongAgain() {
        assertThat(millis(new BackOff(bound -> bound - 1), 3)).containsExactly(750L, 1_500L, 3_000L);
    }

    @Test
    void afterASuccessTheyBeginFromZero() {
        BackOff backOff = new BackOff(_ -> 0);
        millis(backOff, 5);
        backOff.succeeded(Duration.ofMillis(19_999));
        assertThat(millis(backOff, 1)).containsExactly(16_000L);

        backOff.succeeded(Duration.ofSeconds(20));
        assertThat(millis(backOff, 2)).containsExactly(500L, 1_000L);
    }

    @Test
    void theNextPauseIsAsLongAsWasAskedForAndTheOneAfterItIsNot() {
        BackOff backOff = new BackOff(_ -> 0);
        backOff.nextIsAtLeast(Duration.ofSeconds(40));
        assertThat(millis(backOff, 2)).containsExactly(40_000L, 1_000L);

        backOff.nextIsAtLeast(Duration.ofSeconds(1));
        assertThat(millis(backOff, 1)).containsExactly(2_000L);
    }
}
