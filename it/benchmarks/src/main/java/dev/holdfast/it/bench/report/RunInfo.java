package dev.holdfast.it.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * When a bench ran, by which command, from which version of the source tree, and on which machine.
 *
 * @param started when the bench began, as ISO 8601
 * @param commit the abbreviated Git commit, marked if files differ from it; {@code unknown} outside a Git checkout
 * @param machine the machine, its load average over the minute before, and the JVM, in one line
 */
public record RunInfo(String command, String started, String commit, String machine) {
    private static final int ABBREVIATED = 10;
    private static final long KIB_PER_GIB = 1 << 20;

    /**
     * {@return the information about a run that begins now, on this machine}
     *
     * @param root the root folder of the repository
     */
    static RunInfo now(String command, Path root, InstantSource clock) {
        try {
            return new RunInfo(
                    command,
                    clock.instant().toString(),
                    commit(root),
                    machine(
                            Files.readAllLines(Path.of("/proc/cpuinfo")),
                            Files.readAllLines(Path.of("/proc/meminfo")),
                            Files.readString(Path.of("/proc/loadavg"))));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read /proc or run git: it/bench runs on Linux only", e);
        }
    }

    private static String commit(Path root) throws IOException {
        String commit = git(root, "rev-parse", "HEAD");
        if (commit.isEmpty()) {
            return "unknown";
        }
        boolean changed = !git(root, "status", "--porcelain").isEmpty();
        return commit.substring(0, ABBREVIATED) + (changed ? " with changes" : "");
    }

    /** Runs a git command and returns its output; empty if it failed. */
    private static String git(Path root, String... arguments) throws IOException {
        List<String> command =
                Stream.concat(Stream.of("git"), Stream.of(arguments)).toList();
        Process process = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    static String machine(List<String> processors, List<String> memory, String load) {
        return String.format(
                Locale.ROOT,
                "%d cores (%s), %,d GiB, load %s before; %s %s",
                Runtime.getRuntime().availableProcessors(),
                value(processors, "model name"),
                Long.parseLong(value(memory, "MemTotal").replaceAll("\\D", "")) / KIB_PER_GIB,
                load.split(" ", 2)[0],
                System.getProperty("java.vendor"),
                Runtime.version());
    }

    private static String value(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** {@return the run in three lines} */
    @Override
    public String toString() {
        return command + "\ncommit " + commit + ", " + started + "\n" + machine;
    }
}
