package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands in a process of their own, which a signal ends. */
class InterruptedCommandTest {
    /** More than a pipe can hold: once they are written, most of them have been read. */
    private static final int OBJECTS = 20_000;

    private static final String TEST = """
        apiVersion: cli.holdfast.dev/v1
        kind: PolicyTest
        steps: []
        expect:
        - at: 1m
          violations: []
        """;

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endAll() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process start(String... arguments) throws IOException {
        // A shell that starts the tests in the background makes them and their children ignore SIGINT; this resets it.
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile())
                .start();
        processes.add(process);
        return process;
    }

    private static void signal(Process process, String signal) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private String errors() throws IOException {
        return Files.readString(folder.resolve("errors"));
    }

    private static String namespaces() {
        return IntStream.range(0, OBJECTS)
                .mapToObj(number ->
                        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"n" + number + "\"}},\n")
                .collect(Collectors.joining("", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "INT, 130, check -f -",
        "TERM, 143, check -f -",
        "INT, 130, explain pod/web-1 -f -",
        "INT, 130, what-if --cordon n1 -f -",
        "INT, 130, report -f -"
    })
    void whoInterruptsReadingGetsNoReport(String signal, int exitCode, String arguments)
            throws IOException, InterruptedException {
        Process command = start(arguments.split(" "));
        try (Writer input = command.outputWriter()) {
            input.write(namespaces());
            input.flush();

            signal(command, signal);

            assertThat(command.waitFor()).isEqualTo(exitCode);
        }
        assertThat(command.inputReader().lines()).isEmpty();
        assertThat(errors()).matches("holdfast: interrupted: read (1\\d|20),\\d{3} objects; no report\n");
    }

    @Test
    void whoInterruptsTestsGetsTheNumbersOfThoseThatRan() throws IOException, InterruptedException {
        Path tests = Files.createDirectory(folder.resolve("tests"));
        Path first = Files.createDirectory(tests.resolve("1"));
        Files.writeString(first.resolve("test.yaml"), TEST);
        Files.writeString(first.resolve("cluster.yaml"), "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
        Files.copy(Path.of("../docs/samples/keep.yaml"), first.resolve("policies.yaml"));
        Path second = Files.createDirectory(tests.resolve("2")).resolve("test.yaml");
        assertThat(new ProcessBuilder("mkfifo", second.toString()).start().waitFor())
                .isZero();
        Process command = start("test", tests.toString());

        // Whoever opens a named pipe to write waits for a reader: then the first test has run.
        try (Writer _ = Files.newBufferedWriter(second)) {
            signal(command, "INT");

            assertThat(command.waitFor()).isEqualTo(130);
        }
        assertThat(command.inputReader().lines()).isEmpty();
        assertThat(errors()).endsWith("holdfast: interrupted: 1 of 2 tests ran: 1 passed, 0 failed; no report\n");
    }

    @Test
    void whoInterruptsPrintingLearnsThatTheOutputIsIncomplete() throws IOException, InterruptedException {
        Path dump = Files.writeString(
                folder.resolve("dump.yaml"),
                "{apiVersion: v1, kind: Node, metadata: {name: n1}}\n"
                        + IntStream.range(0, OBJECTS)
                                .mapToObj(number -> "---\n{apiVersion: v1, kind: Pod, metadata: {name: web-" + number
                                        + "}, spec: {nodeName: n1, nodeSelector: {a: b}}}\n")
                                .collect(Collectors.joining()));
        Process command = start("check", "-o", "wide", "-f", dump.toString());
        BufferedReader output = command.inputReader();
        assertThat(output.readLine()).startsWith("VIOLATIONS");

        signal(command, "INT");

        assertThat(command.waitFor()).isEqualTo(130);
        assertThat(output.lines()).hasSizeLessThan(OBJECTS);
        assertThat(errors()).endsWith("holdfast: interrupted: the output is incomplete\n");
    }

    @Test
    void aCommandThatEndsByItselfSaysNothingOfAnInterrupt() throws IOException, InterruptedException {
        Process command = start("check", "-f", "../docs/samples/shop.yaml");

        assertThat(command.inputReader().lines()).hasSize(1 + 6);
        assertThat(command.waitFor()).isEqualTo(ExitCode.FINDINGS);
        assertThat(errors()).startsWith("holdfast: 6 violations; ").hasLineCount(1);
    }
}
