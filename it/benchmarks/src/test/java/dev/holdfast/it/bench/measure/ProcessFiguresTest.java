package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the memory and CPU time of a process are read from {@code /proc}. */
class ProcessFiguresTest {
    @Test
    void memoryIsMebibytes() {
        List<String> status = List.of(
                "Name:\tjava", "VmPeak:\t 9000000 kB", "VmHWM:\t  204800 kB", "VmRSS:\t  153600 kB", "RssAnon:\t 1 kB");

        assertThat(ProcessFigures.of(status, Duration.ofMillis(2_500))).isEqualTo(new ProcessFigures(150, 200, 2.5));
    }

    @Test
    void aFigureTheKernelDoesNotTellIsNotMadeUp() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ProcessFigures.of(List.of("VmRSS:\t 153600 kB"), Duration.ZERO))
                .withMessage("the kernel reports no VmHWM of the process");
    }

    @Test
    void thisProcessHasFigures() {
        ProcessFigures figures = ProcessFigures.of(ProcessHandle.current().pid());

        assertThat(figures.residentMiB()).isPositive().isLessThanOrEqualTo(figures.peakMiB());
        assertThat(figures.cpuSeconds()).isPositive();
    }
}
