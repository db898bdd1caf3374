package dev.holdfast.it.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

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
            return of(Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")), cpu);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read the memory of process " + pid + ": " + e.getMessage(), e);
        }
    }

    static ProcessFigures of(List<String> status, Duration cpu) {
        return new ProcessFigures(mebibytes(status, "VmRSS"), mebibytes(status, "VmHWM"), cpu.toMillis() / MILLIS);
    }

    private static double mebibytes(List<String> status, String key) {
        return status.stream()
                .filter(line -> line.matches(key + ":\\s+\\d+ kB"))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / KIB_PER_MIB)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the kernel reports no " + key + " of the process"));
    }
}
