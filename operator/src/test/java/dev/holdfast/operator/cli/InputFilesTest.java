package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files as people give them to commands: several for one option, and with nothing to judge. */
class InputFilesTest {
    private static final String NODE = """
        apiVersion: v1
        kind: Node
        metadata: {name: n1, labels: {disk: hdd}}
        status: {conditions: [{type: Ready, status: "True"}]}
        """;

    private static final String POD = """
        apiVersion: v1
        kind: Pod
        metadata: {name: web-1, namespace: shop}
        spec: {nodeName: n1, nodeSelector: {disk: ssd}}
        """;

    @TempDir
    private Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(folder.resolve("nodes.yaml"), NODE);
        Files.writeString(folder.resolve("pods.yaml"), POD);
        Files.writeString(folder.resolve("shop.yaml"), "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n");
    }

    private CommandRun run(String line) {
        CommandRun run = CommandRun.in(folder);
        int code = run.execute(line.replace("@", folder + "/").split(" "));
        run.err().append("exit code " + code + "\n");
        return run;
    }

    static Stream<Arguments> severalFiles() {
        String all = "-f @nodes.yaml @pods.yaml @shop.yaml";
        return Stream.of(
                argumentSet("-f of each", "check -f @nodes.yaml -f @pods.yaml -f @shop.yaml"),
                argumentSet("one -f", "check " + all),
                argumentSet("one -f before an option", "check " + all + " -o wide"),
                argumentSet("some of each", "check -f @nodes.yaml @pods.yaml -n shop --filename=@shop.yaml"),
                argumentSet("with the value in the option", "check -f=@nodes.yaml @pods.yaml @shop.yaml"),
                argumentSet("explain of a pod after them", "explain -n shop " + all + " pod/web-1"),
                argumentSet("explain of a pod before them", "explain pod/web-1 -n shop " + all),
                argumentSet("explain of a pod in two words", "explain -n shop " + all + " pod web-1"),
                argumentSet("explain of a pod after two hyphens", "explain -n shop " + all + " -- pod/web-1"));
    }

    @ParameterizedTest
    @MethodSource("severalFiles")
    void oneOptionTakesSeveralFiles(String line) {
        CommandRun run = run(line);

        assertThat(run.out().toString()).contains("n1 does not match disk=ssd");
        assertThat(run.err().toString()).doesNotContain("warning");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                argumentSet("a file that does not exist", "check -f @nodes.yaml none.yaml", """
                    holdfast: none.yaml: no such file: give a file, a folder, or - for standard input
                    exit code 3
                    """),
                argumentSet("no file", "check -f", """
                    holdfast: Missing required parameter for option '--filename' (FILE)
                    Try: holdfast check --help
                    exit code 2
                    """),
                argumentSet("no policy", "check -f @nodes.yaml --policy", """
                    holdfast: Missing required parameter for option '--policy' (FILE)
                    Try: holdfast check --help
                    exit code 2
                    """),
                argumentSet(
                        "no pods",
                        "check -f @nodes.yaml",
                        "holdfast: the input has no pods: add `pods` to kubectl get\nexit code 3\n"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsNamed(String line, String message) {
        assertThat(run(line).err()).hasToString(message);
    }

    /** Without nodes, a pod that waits for one is not judged either. */
    @Test
    void pendingPodsWithoutNodesAreNotJudged() throws IOException {
        Files.writeString(folder.resolve("pods.yaml"), POD.replace("nodeName: n1, ", ""));

        assertThat(run("check -f @pods.yaml @shop.yaml").err())
                .hasToString("holdfast: the input has no nodes, so there is no verdict on any pod: add `nodes` to"
                        + " kubectl get\nexit code 3\n");
        assertThat(List.of(run("check -f @pods.yaml").out().toString())).containsExactly("");
    }
}
