package dev.holdfast.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./holdfast} in a tree where nothing is built, with a Maven that builds nothing either. */
@Timeout(60)
class LaunchScriptTest {
    private static final String BUILDING =
            "holdfast: building operator and what it needs (a minute or two the first time)";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path tree;

    @BeforeEach
    void copy() throws IOException {
        Files.copy(Path.of("../holdfast"), tree.resolve("holdfast"));
    }

    /** Starts it with nothing in its environment but a PATH that begins with this Maven, and a JDK. */
    private Process start(String maven) throws IOException {
        Path program = Files.writeString(tree.resolve("mvn"), "#!/bin/sh\n" + maven + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder =
                new ProcessBuilder("bash", tree.resolve("holdfast").toString(), "version").redirectErrorStream(true);
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of("PATH", tree + ":/usr/bin:/bin", "JAVA_HOME", System.getProperty("java.home")));
        return builder.start();
    }

    @Test
    void itNeedsNoHomeAndSaysWhatItBuildsAndThatThisFailed() throws Exception {
        Process script = start("echo no such artifact; exit 1");

        List<String> said = script.inputReader().lines().toList();

        assertThat(said).containsExactly(BUILDING, "no such artifact", "holdfast: the build failed: see above");
        assertThat(script.waitFor()).isEqualTo(3);
    }

    @Test
    void itEndsItsBuildWhenItIsToldToStop() throws Exception {
        Process script = start("echo building; exec sleep 600");
        try (BufferedReader said = script.inputReader()) {
            assertThat(said.readLine()).isEqualTo(BUILDING);
            assertThat(said.readLine()).isEqualTo("building");

            script.toHandle().destroy();

            // The lines end only when nobody is left to write one.
            assertThat(said.lines()).containsExactly("holdfast: ended: told to stop while it was being built");
            assertThat(script.waitFor()).isEqualTo(128 + 15);
        } finally {
            script.destroyForcibly();
        }
    }
}
