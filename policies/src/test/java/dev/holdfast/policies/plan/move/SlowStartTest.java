package dev.holdfast.policies.plan.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how many moves may be in flight after successes, failures and plans. */
class SlowStartTest {
    private final SlowStart slowStart = new SlowStart();

    private void succeed(int moves) {
        IntStream.range(0, moves).forEach(_ -> slowStart.succeeded());
    }

    @Test
    void twoAreAllowedAtFirst() {
        assertThat(slowStart.allowed()).isEqualTo(2);
    }

    @Test
    void eachSuccessAllowsOneMore() {
        slowStart.succeeded();
        slowStart.succeeded();

        assertThat(slowStart.allowed()).isEqualTo(4);
    }

    @Test
    void aFailureLeavesOne() {
        slowStart.succeeded();
        slowStart.failed();

        assertThat(slowStart.allowed()).isEqualTo(1);
    }

    @Test
    void afterAPlanOneMoreThanAreInFlightIsAllowed() {
        succeed(8);

        slowStart.endPlan(6);

        assertThat(slowStart.allowed()).isEqualTo(7);
    }

    @Test
    void aPlanThatMovesOnePodLeavesTwo() {
        succeed(8);

        slowStart.endPlan(1);

        assertThat(slowStart.allowed()).isEqualTo(2);
    }

    @Test
    void afterAFailureOneIsAllowedUntilASuccessHoweverManyAreInFlight() {
        slowStart.failed();

        slowStart.endPlan(3);

        assertThat(slowStart.allowed()).isEqualTo(1);
    }
}
