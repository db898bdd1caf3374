package dev.holdfast.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private Instant wall = START;
    private long nanos = 7;
    private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);

    @Test
    void itGoesOnWithTheNanosWhateverBecomesOfTheWallClock() {
        nanos += Duration.ofSeconds(5).toNanos();
        wall = START.minus(Duration.ofHours(1));

        assertThat(clock.instant()).isEqualTo(START.plusSeconds(5));
        assertThat(clock.wall()).isEqualTo(START.minus(Duration.ofHours(1)));
    }
}
