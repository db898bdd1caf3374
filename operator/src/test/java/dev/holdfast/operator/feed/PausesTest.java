package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PausesTest {
    private static List<Long> millis(Pauses pauses, int number) {
        return Stream.generate(pauses::next)
                .limit(number)
                .map(it -> it.toMillis())
                .toList();
    }

    @Test
    void eachPauseIsTwiceTheLastUpToTwentySeconds() {
        assertThat(millis(new Pauses(_ -> 0), 8))
                .containsExactly(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 20_000L, 20_000L);
    }

    @Test
    void eachIsUpToHalfAsLongAgain() {
        assertThat(millis(new Pauses(bound -> bound - 1), 3)).containsExactly(750L, 1_500L, 3_000L);
    }

    @Test
    void afterASuccessTheyBeginAnew() {
        Pauses pauses = new Pauses(_ -> 0);
        millis(pauses, 5);
        pauses.wentWell(Duration.ofMillis(19_999));
        assertThat(millis(pauses, 1)).containsExactly(16_000L);

        pauses.wentWell(Duration.ofSeconds(20));
        assertThat(millis(pauses, 2)).containsExactly(500L, 1_000L);
    }

    @Test
    void theNextPauseIsAsLongAsWasAskedForAndTheOneAfterItIsNot() {
        Pauses pauses = new Pauses(_ -> 0);
        pauses.nextIsAtLeast(Duration.ofSeconds(40));
        assertThat(millis(pauses, 2)).containsExactly(40_000L, 1_000L);

        pauses.nextIsAtLeast(Duration.ofSeconds(1));
        assertThat(millis(pauses, 1)).containsExactly(2_000L);
    }
}
