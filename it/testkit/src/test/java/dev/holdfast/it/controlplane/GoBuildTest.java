package dev.holdfast.it.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a {@link GoBuild} leaves on disk; a script takes the place of Go. */
@Timeout(value = TimeLimits.TEST_MINUTES, unit = TimeUnit.MINUTES)
class GoBuildTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path temporary;

    private Path folder = Path.of("");
    private Path source = Path.of("");

    @BeforeEach
    void prepare() throws IOException {
        folder = Files.createDirectory(temporary.resolve("1.building"));
        source = Files.createDirectory(temporary.resolve("source"));
        Files.writeString(source.resolve("stage.yaml"), "kind: Stage\n");
    }

    static GoBuild build(Path folder, String go) {
        GoModule module = new GoModule(
                "controlplane",
                "a tool",
                "a moment",
                List.of(Program.ETCD),
                "k8s.io/kubernetes",
                "",
                new GoModule.ModuleFiles("example.com/stages", ".", "stages"));
        return new GoBuild(module, folder, new PrintStream(OutputStream.nullOutputStream(), true, UTF_8), go);
    }

    private String go(String whenItBuilds) throws IOException {
        String script = """
            #!/bin/sh
            case $1 in
            env) echo go1.26.8 ;;
            list) echo %s ;;
            build)
              echo work > ${GOTMPDIR:?}/go-build1
              %s
              ;;
            esac
            """.formatted(source, whenItBuilds);
        Path file = Files.writeString(temporary.resolve("go"), script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file.toString();
    }

    @Test
    void whatGoPutsAsideLiesInTheFolderOfTheBuildAndGoesWithItsEnd() throws IOException {
        build(folder, go("while [ \"$1\" != -o ]; do shift; done; echo $GOTMPDIR/* > $2"))
                .run();

        assertThat(folder.resolve("bin/etcd"))
                .hasContent(folder.resolve("tmp/go-build1").toString());
        assertThat(folder.resolve("tmp")).doesNotExist();
        assertThat(folder.resolve("stages/stage.yaml")).exists();
    }

    @Test
    void aBuildThatFailsSaysWithWhat() throws IOException {
        GoBuild build = build(folder, go("echo no such package >&2; exit 7"));

        assertThatThrownBy(build::run)
                .isInstanceOf(ControlPlaneException.class)
                .hasMessageStartingWith("go build -trimpath ")
                .hasMessageEndingWith(" ended with 7:\nno such package");
    }

    @Test
    void aJvmThatIsKilledTakesGoAndWhatThatStartedAlong() throws Exception {
        String go = go("sh -c 'sleep 600; :' compile $GOTMPDIR & wait");
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        BuildHolder.class.getName(),
                        folder.toString(),
                        go)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            await().atMost(TimeLimits.STATE)
                    .until(() -> Processes.naming(folder).stream().anyMatch(line -> line.contains(" compile ")));
        } finally {
            jvm.destroyForcibly().waitFor();
        }

        await().atMost(TimeLimits.STATE).until(() -> Processes.naming(folder).isEmpty());
    }
}
