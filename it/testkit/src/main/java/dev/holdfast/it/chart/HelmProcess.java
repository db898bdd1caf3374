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
 * Helm in a process of its own. Its library, once it is loaded, takes SIGINT and SIGTERM away from the JVM and makes
 * nothing of them, so that a JVM that has used it ends by neither.
 */
final class HelmProcess {
    private final Path folder;

    /** @param folder takes its log, and its library while it runs */
    HelmProcess(Path folder) {
        this.folder = folder;
    }

    /**
     * {@return what Helm says}
     *
     * @param arguments of a {@link HelmCommand}
     * @throws IllegalStateException if Helm refuses; the message is Helm's
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
            throw new UncheckedIOException("cannot read what Helm says", e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Helm ran", e);
        }
    }
}
