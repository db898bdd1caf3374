package dev.holdfast.policies.plan.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests how many moves may be in flight after successes, failures and a rest. */
class SlowStartTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    private final SlowStart slowStart = new SlowStart();

    @Test
    void twoAreAllowedAtFirst() {
        assertThat(slowStart.allowed(NOW)).isEqualTo(2);
    }

    @Test
    void eachSuccessAllowsOneMore() {
        slowStart.succeeded(NOW);
        slowStart.succeeded(NOW);

        assertThat(slowStart.allowed(NOW)).isEqualTo(4);
    }

    @Test
    void aFailureLeavesOne() {
        slowStart.succeeded(NOW);
        slowStart.failed(NOW);

        assertThat(slowStart.allowed(NOW)).isEqualTo(1);
    }

    @Test
    void twentyMinutesAfterTheLastOutcomeTwoAreAllowedAgain() {
        slowStart.succeeded(NOW);

        assertThat(slowStart.allowed(NOW.plus(Duration.ofMinutes(20)).minusSeconds(1)))
                .isEqualTo(3);
        assertThat(slowStart.allowed(NOW.plus(Duration.ofMinutes(20)))).isEqualTo(2);
        slowStart.succeeded(NOW.plus(Duration.ofMinutes(20)));
        assertThat(slowStart.allowed(NOW.plus(Duration.ofMinutes(20)))).isEqualTo(3);
    }

    @Test
    void afterAFailureOneIsAllowedUntilASuccessHoweverLongAgo() {
        slowStart.failed(NOW);

        assertThat(slowStart.allowed(NOW.plus(Duration.ofDays(1)))).isEqualTo(1);
    }
}
