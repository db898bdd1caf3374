package dev.holdfast.it.bench.dump;

import dev.holdfast.it.bench.measure.ProcessFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs the command {@code holdfast} as a process. */
final class CommandTimes {
    private static final double NANOS = 1e9;
    private static final int POLL_MILLIS = 20;

    private final List<String> launcher;

    private CommandTimes(List<String> launcher) {
        this.launcher = launcher;
    }

    /** {@return the command of a built repository, which is started as its launch script does} */
    static CommandTimes ofRepository(Path root) {
        return new CommandTimes(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                root.resolve("operator/target/classes") + ":" + root.resolve("operator/target/lib/*"),
                "dev.holdfast.operator.Main"));
    }

    /**
     * {@return the command of the archive that {@code mvn package} makes}
     *
     * @param folder where it is unpacked
     */
    static CommandTimes ofArchive(Path root, Path folder) throws IOException, InterruptedException {
        Path archive;
        try (Stream<Path> files = Files.list(root.resolve("operator/target"))) {
            archive = files.filter(file -> file.getFileName().toString().matches("holdfast-.*-linux-.*\\.tar\\.gz"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("mvn package has made no archive"));
        }
        int exitCode = new ProcessBuilder(
                        "tar", "-xzf", archive.toString(), "-C", folder.toString(), "--strip-components=1")
                .inheritIO()
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IllegalStateException("cannot unpack " + archive);
        }
        return new CommandTimes(List.of(folder.resolve("bin/holdfast").toString()));
    }

    /**
     * One run of a command.
     *
     * @param seconds from its start to its end
     * @param peakMiB the peak of its resident memory
     */
    record Run(double seconds, double peakMiB) {}

    /**
     * {@return the time and memory of a command}
     *
     * @throws IllegalStateException if it does not end with this exit code
     */
    Run run(int exitCode, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(arguments);
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        double peak = 0;
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            peak = Math.max(peak, peakOf(process));
        }
        double seconds = (System.nanoTime() - start) / NANOS;
        if (process.exitValue() != exitCode) {
            throw new IllegalStateException(
                    String.join(" ", arguments) + " ended with exit code " + process.exitValue());
        }
        return new Run(seconds, peak);
    }

    /** {@return the peak so far; 0 if the process has just ended} */
    private static double peakOf(Process process) {
        try {
            return ProcessFigures.of(process.pid()).peakMiB();
        } catch (IllegalStateException _) {
            return 0;
        }
    }
}
