package dev.holdfast.policies.plan.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how many moves may be in flight after successes, failures and plans. */
class SlowStartTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    private final SlowStart slowStart = new SlowStart();

    private void succeed(int moves) {
        IntStream.range(0, moves).forEach(_ -> slowStart.succeeded(NOW));
    }

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
        slowStart.failed();

        assertThat(slowStart.allowed(NOW)).isEqualTo(1);
    }

    @Test
    void afterAPlanOneMoreThanAreInFlightIsAllowed() {
        succeed(8);

        slowStart.endPlan(6);

        assertThat(slowStart.allowed(NOW)).isEqualTo(7);
    }

    @Test
    void aPlanThatMovesOnePodLeavesTwo() {
        succeed(8);

        slowStart.endPlan(1);

        assertThat(slowStart.allowed(NOW)).isEqualTo(2);
    }

    @Test
    void afterAFailureOneIsAllowedUntilASuccessHoweverManyAreInFlight() {
        slowStart.failed();

        slowStart.endPlan(3);

        assertThat(slowStart.allowed(NOW)).isEqualTo(1);
    }

    @Test
    void twentyMinutesAfterTheLastSuccessTwoAreAllowedHoweverManyAreInFlight() {
        succeed(8);

        slowStart.endPlan(10);

        assertThat(slowStart.allowed(NOW.plus(Duration.ofMinutes(20)).minusSeconds(1)))
                .isEqualTo(10);
        assertThat(slowStart.allowed(NOW.plus(Duration.ofMinutes(20)))).isEqualTo(2);
    }

    @Test
    void tenReplacementsThatAreLateTogetherAllowTwo() {
        slowStart.failed();

        IntStream.range(0, 10).forEach(_ -> slowStart.rescued());

        assertThat(slowStart.allowed(NOW)).isEqualTo(2);
    }
}
