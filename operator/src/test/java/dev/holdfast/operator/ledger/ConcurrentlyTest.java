package dev.holdfast.operator.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConcurrentlyTest {
    /** Waits until as many threads wait as the barrier has parties. */
    private static int meet(CyclicBarrier barrier, int value) {
        try {
            barrier.await(1, TimeUnit.MINUTES);
            return value * 10;
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void allRequestsAreUnderWayAtTheSameTimeAndTheResultsAreInOrder() {
        CyclicBarrier three = new CyclicBarrier(3);

        assertThat(Concurrently.map(Stream.of(1, 2, 3), value -> meet(three, value)))
                .isEqualTo(List.of(10, 20, 30));
    }

    @Test
    void withoutValuesThereIsNothingToWaitFor() {
        assertThat(Concurrently.map(Stream.<Integer>of(), value -> value)).isEmpty();
    }

    @Test
    void aRequestThatEndsWithAnExceptionIsABug() {
        assertThatThrownBy(() -> Concurrently.map(Stream.of(0), value -> 1 / value))
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseInstanceOf(ArithmeticException.class);
    }
}
