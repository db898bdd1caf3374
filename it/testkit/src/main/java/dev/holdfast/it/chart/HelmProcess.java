package dev.holdfast.it.chart;

import dev.holdfast.it.controlplane.ChildProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runner of the Helm library in a separate process. The library makes any JVM that loads it ignore SIGINT and SIGTERM.
 */
final class HelmProcess {
    private final Path folder;

    /**
     * @param folder where the process writes its log, and unpacks the native library of Helm while it runs
     */
    HelmProcess(Path folder) {
        this.folder = folder;
    }

    /**
     * Runs one Helm command, waits until its process ends, and returns Helm's output.
     *
     * @param arguments as {@link HelmCommand} takes them
     * @throws IllegalStateException if Helm reports an error; the message is Helm's
     */
    String run(List<String> arguments) {
        Path log = folder.resolve("helm.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                HelmCommand.class.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        Process process = ChildProcesses.startApart(builder);
        try (var said = process.getInputStream()) {
            String answer = new String(said.readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(answer.isEmpty() ? "Helm failed:\n" + Files.readString(log) : answer);
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the output of Helm", e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Helm ran", e);
        }
    }
}
