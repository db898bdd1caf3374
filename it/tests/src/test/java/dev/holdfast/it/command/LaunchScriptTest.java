package dev.holdfast.it.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.controlplane.TimeLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code ./holdfast} in a source tree without a build, with a fake Maven, called from another folder. */
@Timeout(value = TimeLimits.TEST_MINUTES, unit = TimeUnit.MINUTES)
class LaunchScriptTest {
    private static final String BUILDING =
            "holdfast: building operator and what it needs (a minute or two the first time)";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path tree;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path elsewhere;

    @BeforeEach
    void prepare() throws IOException {
        tree = tree.toRealPath();
        elsewhere = elsewhere.toRealPath();
        Files.copy(Path.of("../../holdfast"), tree.resolve("holdfast"));
        program("go", "exit 1");
        program("jdk/bin/javac", "exit 1");
        program("jdk/bin/java", "echo \"in $PWD: $*\"");
        Files.writeString(tree.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    }

    private void program(String name, String content) throws IOException {
        Path file = tree.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + content + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /**
     * Starts the script with this text as the program {@code mvn}. Its only environment variables are PATH and
     * JAVA_HOME.
     */
    private Process start(String maven, Path script, String... arguments) throws IOException {
        program("mvn", maven);
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString());
        builder.command().addAll(List.of(arguments));
        builder.directory(elsewhere.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        tree + ":/usr/bin:/bin",
                        "JAVA_HOME",
                        elsewhere.relativize(tree.resolve("jdk")).toString()));
        return builder.start();
    }

    private Process start(String maven) throws IOException {
        return start(maven, tree.resolve("holdfast"), "version");
    }

    /** Runs the script through a link on the PATH, and returns the last line of its output. */
    private String said(String... arguments) throws Exception {
        Path link = Files.createSymbolicLink(elsewhere.resolve("holdfast"), tree.resolve("holdfast"));
        Process script = start("exit 0", link, arguments);
        List<String> lines = script.inputReader().lines().toList();
        assertThat(script.waitFor()).isZero();
        // JUnit logs a warning for each link that it deletes itself.
        Files.delete(link);
        return lines.getLast();
    }

    @ParameterizedTest
    @CsvSource({"demo, testkit", "bench, benchmarks"})
    void whatIsAboutTheTreeRunsInTheTreeThatTheScriptStandsIn(String command, String module) throws Exception {
        assertThat(said(command, "--keep", "a b"))
                .startsWith("in " + tree + ": ")
                .contains("-cp " + tree + "/it/" + module + "/target/classes:" + tree + "/it/" + module
                        + "/target/lib/* ")
                .endsWith(" dev.holdfast.it." + command + ".Main --keep a b");
    }

    /** The module it/testkit needs Go for its build. */
    @Test
    void theSimulatedDemoNeedsTheOperatorAlone() throws Exception {
        assertThat(said("demo", "--simulated")).endsWith(" dev.holdfast.operator.Main demo --simulated");
        assertThat(said("demo", "--verbose", "--simulated"))
                .endsWith(" dev.holdfast.operator.Main demo --verbose --simulated");
    }

    @Test
    void withoutGoTheRealDemoNamesTheSimulatedOne() throws Exception {
        Files.delete(tree.resolve("go"));
        Process script = start("echo building", tree.resolve("holdfast"), "demo");

        assertThat(script.inputReader().lines())
                .containsExactly("holdfast: the real demo needs Go 1.26: install it from https://go.dev, or use"
                        + " ./holdfast demo --simulated");
        assertThat(script.waitFor()).isNotZero();
    }

    @Test
    void allElseRunsWhereItsCallerIs() throws Exception {
        assertThat(said("run", "--kubeconfig", "./x"))
                .startsWith("in " + elsewhere + ": ")
                .endsWith(" dev.holdfast.operator.Main run --kubeconfig ./x");
    }

    @Test
    void renderTakesTheChartOfTheTreeAndFilesOfItsCaller() throws Exception {
        assertThat(said("render", "-f", "./values.yaml"))
                .startsWith("in " + elsewhere + ": ")
                .endsWith(" dev.holdfast.charts.Main " + tree + "/charts/holdfast -f ./values.yaml");
    }

    @Test
    void withoutACommandItOffersAllOfThemAndBuildsNothing() throws Exception {
        Process script = start("echo building", tree.resolve("holdfast"));

        assertThat(script.inputReader().lines())
                .containsExactly(
                        "holdfast: missing command; use one of: demo, bench, render, check, explain, what-if, test,"
                                + " report, run, crds, completion, version, help",
                        "Try: holdfast" + " --help");
        assertThat(script.waitFor()).isEqualTo(2);
    }

    @Test
    void itNeedsNoHomeAndSaysWhatItBuildsAndThatThisFailed() throws Exception {
        Process script = start("echo no such artifact; exit 1");

        List<String> said = script.inputReader().lines().toList();

        assertThat(said).containsExactly(BUILDING, "no such artifact", "holdfast: the build failed: see above");
        assertThat(script.waitFor()).isEqualTo(3);
    }

    /** Maven keeps the jar, and its time, if no class changed. */
    @Test
    void aSourceWithANewTimeAndNoChangeIsBuiltOnce() throws Exception {
        for (String module : List.of("policies", "crds", "operator")) {
            Files.createDirectories(tree.resolve(module + "/src/main"));
            Files.createFile(tree.resolve(module + "/pom.xml"));
        }
        Files.createDirectories(tree.resolve("operator/fields"));
        Files.createDirectories(tree.resolve("operator/target/lib"));
        Path jar = Files.createFile(tree.resolve("operator/target/holdfast-operator-1.jar"));
        Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
        Files.createFile(tree.resolve("pom.xml"));

        assertThat(start("exit 0").inputReader().lines()).hasSize(2).first().isEqualTo(BUILDING);
        assertThat(start("exit 0").inputReader().lines()).hasSize(1);
    }

    @Test
    void theBenchBuildsWithItsProfileAndFailsIfItDoesNotCompile() throws Exception {
        Process script = start("echo \"$*\"; exit 1", tree.resolve("holdfast"), "bench", "engine");

        assertThat(script.inputReader().lines())
                .containsExactly(
                        "holdfast: building it/benchmarks and what it needs (a minute or two the first time)",
                        "-q -B -f " + tree + "/pom.xml -Pbench -pl it/benchmarks -am -Dmaven.test.skip=true"
                                + " -Darchive.skip=true pre-integration-test",
                        "holdfast: the build failed: see above");
        assertThat(script.waitFor()).isEqualTo(3);
    }

    @Test
    void itEndsItsBuildWhenItIsToldToStop() throws Exception {
        Process script = start("echo building; exec sleep 600");
        try (BufferedReader said = script.inputReader()) {
            assertThat(said.readLine()).isEqualTo(BUILDING);
            assertThat(said.readLine()).isEqualTo("building");

            script.toHandle().destroy();

            // The stream of lines ends only after all its writers have ended.
            assertThat(said.lines()).containsExactly("holdfast: stopped by a signal during the build");
            assertThat(script.waitFor()).isEqualTo(128 + 15);
        } finally {
            script.destroyForcibly();
        }
    }
}
