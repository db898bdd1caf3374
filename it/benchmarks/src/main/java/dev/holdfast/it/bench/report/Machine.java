package dev.holdfast.it.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The machine on which a bench ran.
 *
 * @param processor the processor model; empty if the kernel does not report it
 * @param memoryMiB the total memory of the machine
 * @param load the load average over the minute before the bench; clearly above 0 means that other processes ran too
 */
public record Machine(int cores, String processor, long memoryMiB, double load, String kernel, String jvm) {
    private static final long KIB_PER_MIB = 1024;

    /**
     * {@return this machine}
     *
     * @throws IllegalStateException with a message of one line, if this machine does not run Linux
     */
    public static Machine here() {
        try {
            return of(
                    Files.readAllLines(Path.of("/proc/cpuinfo")),
                    Files.readAllLines(Path.of("/proc/meminfo")),
                    Files.readString(Path.of("/proc/loadavg")));
        } catch (IOException e) {
            throw new IllegalStateException("cannot read /proc: it/bench runs on Linux only", e);
        }
    }

    static Machine of(List<String> processors, List<String> memory, String load) {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                value(processors, "model name"),
                Long.parseLong(value(memory, "MemTotal").replaceAll("\\D", "")) / KIB_PER_MIB,
                Double.parseDouble(load.split(" ", 2)[0]),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor") + " " + Runtime.version());
    }

    private static String value(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** {@return the machine in one line} */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d cores (%s), %,d GiB, load %.1f before; %s",
                cores,
                processor,
                memoryMiB / KIB_PER_MIB,
                load,
                jvm);
    }
}
