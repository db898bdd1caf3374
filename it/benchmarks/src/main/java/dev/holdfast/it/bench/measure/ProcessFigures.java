package dev.holdfast.it.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The memory and CPU time of a process, as the kernel reports them.
 *
 * @param residentMiB the current resident memory, {@code VmRSS}
 * @param peakMiB the peak resident memory, {@code VmHWM}
 * @param cpuSeconds the CPU time since the start of the process, user and system
 */
public record ProcessFigures(double residentMiB, double peakMiB, double cpuSeconds) {
    private static final double KIB_PER_MIB = 1024;
    private static final double MILLIS = 1e3;
    private static final int POLL_MILLIS = 20;

    /**
     * {@return the current memory and CPU time of a process}
     *
     * @throws IllegalStateException with a message of one line, if the figures cannot be read
     */
    public static ProcessFigures of(long pid) {
        Duration cpu = ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow(() -> new IllegalStateException("process " + pid + " has ended"));
        try {
            List<String> status = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
            return new ProcessFigures(mebibytes(status, "VmRSS"), mebibytes(status, "VmHWM"), cpu.toMillis() / MILLIS);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read the memory of process " + pid + ": " + e.getMessage(), e);
        }
    }

    /** Waits until a process has ended, and returns its last figures; all 0 if it ended at once. */
    public static ProcessFigures untilEnd(Process process) throws InterruptedException {
        ProcessFigures last = new ProcessFigures(0, 0, 0);
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            try {
                last = of(process.pid());
            } catch (IllegalStateException _) {
                // The process has just ended.
            }
        }
        return last;
    }

    private static double mebibytes(List<String> status, String key) {
        return status.stream()
                .filter(line -> line.matches(key + ":\\s+\\d+ kB"))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / KIB_PER_MIB)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the kernel reports no " + key + " of the process"));
    }
}
