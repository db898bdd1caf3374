package dev.holdfast.it.bench.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;

/** When a bench runs, by which command, from which version of the source tree, and on which machine. */
final class RunInfo {
    private static final int GIB = 30;

    private RunInfo() {}

    /** {@return the information about a run that begins now on this machine, in three lines} */
    static String now(String command, Path root, InstantSource clock) throws IOException {
        return String.join("\n", command, "commit " + commit(root) + ", " + clock.instant(), machine());
    }

    /** {@return the abbreviated Git commit, marked if files differ from it} */
    private static String commit(Path root) throws IOException {
        Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*")
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static String machine() throws IOException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        String processor = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 2))
                .findFirst()
                .orElse("");
        return String.format(
                Locale.ROOT,
                "%d cores (%s), %d GiB, load %.2f before; %s %s",
                system.getAvailableProcessors(),
                processor,
                system.getTotalMemorySize() >> GIB,
                system.getSystemLoadAverage(),
                System.getProperty("java.vendor"),
                Runtime.version());
    }
}
