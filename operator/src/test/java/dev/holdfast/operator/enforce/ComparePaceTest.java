package dev.holdfast.operator.enforce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.Event;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ComparePaceTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final ComparePace pace = new ComparePace(START);
    private Instant now = pace.next();

    private ComparePaceTest takes(int micros) {
        Instant began = now;
        now = now.plusNanos(micros * 1_000L);
        pace.took(began, now);
        return this;
    }

    @Test
    void a_comparison_is_followed_by_a_hundred_times_its_time_for_all_else() {
        takes(5_000);

        assertThat(pace.next()).isEqualTo(now.plusMillis(500));
    }

    @Test
    void a_short_comparison_is_followed_by_a_fifth_of_a_second() {
        takes(10);

        assertThat(pace.next()).isEqualTo(now.plusMillis(200));
    }

    @Test
    void the_number_of_pods_grows_while_that_takes_less_than_half_a_millisecond_and_stays_below_one() {
        takes(100).takes(200).takes(400).takes(800);

        assertThat(pace.event()).isEqualTo(new Event.TimeToCompare(8));
    }

    @Test
    void the_number_of_pods_is_halved_when_it_took_longer_than_a_millisecond_and_never_less_than_one() {
        takes(100).takes(100).takes(4_000);
        assertThat(pace.event()).isEqualTo(new Event.TimeToCompare(2));

        takes(4_000).takes(4_000).takes(4_000);
        assertThat(pace.event()).isEqualTo(new Event.TimeToCompare(1));
    }
}
