package dev.holdfast.it.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.controlplane.Processes;
import dev.holdfast.it.controlplane.TimeLimits;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code holdfast demo} as a user starts it: from another folder, through a link on the PATH, as a terminal job. It
 * runs the existing build: the Maven on its PATH does nothing.
 */
final class DemoProcess implements AutoCloseable {
    private static final Pattern DATA = Pattern.compile("--data-dir=(\\S+)/etcd ");

    private final Process process;
    private final Path link;
    private final BufferedReader told;

    private DemoProcess(Process process, Path link) {
        this.process = process;
        this.link = link;
        this.told = process.inputReader();
    }

    /**
     * @param folder an empty folder
     */
    static DemoProcess start(Path folder) throws IOException {
        Path maven = Files.writeString(folder.resolve("mvn"), "#!/bin/sh\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        Path link = Files.createSymbolicLink(
                folder.resolve("holdfast"), Path.of("../../holdfast").toRealPath());
        // A shell that starts the tests in the background makes them and their children ignore SIGINT; this resets it.
        ProcessBuilder builder = new ProcessBuilder("env", "--default-signal=INT", "setsid", link.toString(), "demo");
        builder.directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().merge("PATH", folder.toString(), (path, first) -> first + File.pathSeparator + path);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return new DemoProcess(builder.start(), link);
    }

    /** Reads and returns the output up to the first line that contains the text, including that line. */
    List<String> toldUntil(String part) throws IOException {
        List<String> lines = new ArrayList<>();
        while (lines.isEmpty() || !lines.getLast().contains(part)) {
            lines.add(Optional.ofNullable(told.readLine())
                    .orElseThrow(() -> new AssertionError("the demo ended after\n" + String.join("\n", lines))));
        }
        return lines;
    }

    /** Waits until the demo has ended, and returns the rest of its output. */
    List<String> toldToTheEnd() {
        return told.lines().toList();
    }

    /**
     * {@return the temporary folder of the demo's control plane, whose etcd must run} The test must not open the claim
     * file in this folder: on closing, this JVM would lose its own locks on the file.
     */
    Path workFolder() {
        return descendants().stream()
                .map(process -> DATA.matcher(Processes.commandLine(process.pid())))
                .filter(Matcher::find)
                .map(data -> Path.of(data.group(1)))
                .findFirst()
                .orElseThrow();
    }

    /** {@return all running child processes of the demo, and their children} */
    List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** {@return whether a process is in the demo's process group, so that Ctrl-C in the terminal reaches it} */
    boolean isOfTheJob(ProcessHandle other) {
        return Processes.group(other.pid()) == process.pid();
    }

    /** Sends SIGINT to the process group, as a terminal does on Ctrl-C. */
    void interrupt() throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("sh", "-c", "kill -s INT -- -" + process.pid())
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Waits until the demo has ended, and returns its exit code. */
    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(TimeLimits.ANSWER.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        // JUnit logs a warning for each link that it deletes itself.
        Files.delete(link);
    }
}
