package dev.holdfast.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How {@link Machine} reads processor, memory and load. */
class MachineTest {
    @Test
    void itsMemoryIsMebibytesAndItsLoadThatOfTheLastMinute() {
        Machine machine = Machine.of(
                List.of("processor\t: 0", "model name\t: A Processor @ 2 GHz", "processor\t: 1"),
                List.of("MemTotal:       16777216 kB", "MemFree: 1 kB"),
                "0.25 1.50 2.75 1/300 4711\n");

        assertThat(machine.processor()).isEqualTo("A Processor @ 2 GHz");
        assertThat(machine.memoryMiB()).isEqualTo(16_384);
        assertThat(machine.load()).isEqualTo(0.25);
        assertThat(machine.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void thisOneCanBeRead() {
        assertThat(Machine.here().memoryMiB()).isPositive();
    }
}
