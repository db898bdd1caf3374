package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpuTimeTest {
    private static final int BYTES = 1_000_000;

    private final List<byte[]> kept = new ArrayList<>();

    private void allocate(int times) {
        for (int i = 0; i < times; i++) {
            kept.add(new byte[BYTES]);
        }
    }

    @Test
    void whatWasBeforeAnIterationAndWhatComesInAPauseDoesNotCount() {
        allocate(20);
        CpuTime time = new CpuTime();
        time.begin();
        time.cpu = 0;
        time.garbage = 0;

        allocate(2);
        time.pause();
        allocate(20);
        time.resume();
        allocate(1);
        time.end();

        assertThat(kept).hasSize(43);
        assertThat(time.garbage).isBetween(3.0 * BYTES, 4.0 * BYTES);
        assertThat(time.cpu).isPositive();
    }
}
