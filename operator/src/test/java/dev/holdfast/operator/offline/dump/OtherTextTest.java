package dev.holdfast.operator.offline.dump;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files in which something else stands beside or instead of objects: messages, tables, logs. */
class OtherTextTest {
    private static final String LIST = """
        {
            "apiVersion": "v1",
            "items": [
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}}
            ],
            "kind": "List"
        }
        """;

    private static final String YAML_LIST = """
        apiVersion: v1
        items:
        - apiVersion: v1
          kind: Node
          metadata: {name: n1}
        kind: List
        metadata:
          resourceVersion: ""
        """;

    private static final String FORBIDDEN =
            "Error from server (Forbidden): nodes is forbidden: User \"dev\" cannot list resource \"nodes\"";

    private static final String KLOG =
            "E1127 09:00:01.123456   12345 memcache.go:265] \"Unhandled Error\" err=\"couldn't get resource list\"";

    private static final String WITHOUT_ERRORS =
            ": run kubectl again without `2>&1`, so that the file has JSON alone:" + " kubectl get ... -o json > FILE";

    private static final String OBJECTS = ": give the objects themselves: kubectl get ... -o json > FILE";
    private static final String INCOMPLETE = ": kubectl may have failed, and the list may be incomplete";

    @TempDir
    private Path folder;

    private static Dump read(byte[] text) throws DumpException {
        return new DumpReader(_ -> {}).read(List.of(new DumpFile("dump.json", () -> new ByteArrayInputStream(text))));
    }

    private Dump readFolder() throws DumpException {
        return new DumpReader(_ -> {}).read(DumpFile.of(folder.toString(), new ByteArrayInputStream(new byte[0])));
    }

    private static String first(String what, String line, String advice) {
        return "this line is " + what + ", no JSON and no YAML: \"" + line + "\"" + advice;
    }

    static Stream<Arguments> firstLines() {
        String message = "a message of kubectl";
        String table = "a table that kubectl prints for people";
        String command = "a command line or a message of a shell";
        return Stream.of(
                argumentSet("an error of the API server", FORBIDDEN, first(message, FORBIDDEN, WITHOUT_ERRORS)),
                argumentSet(
                        "an error of kubectl itself",
                        "error: the server doesn't have a resource type \"pod,node\"",
                        first(message, "error: the server doesn't have a resource type \"pod,node\"", WITHOUT_ERRORS)),
                argumentSet(
                        "a warning of the API server",
                        "Warning: v1 ComponentStatus is deprecated in v1.19+",
                        first(message, "Warning: v1 ComponentStatus is deprecated in v1.19+", WITHOUT_ERRORS)),
                argumentSet(
                        "no connection",
                        "Unable to connect to the server: dial tcp 10.0.0.1:443: i/o timeout",
                        first(
                                message,
                                "Unable to connect to the server: dial tcp 10.0.0.1:443: i/o timeout",
                                WITHOUT_ERRORS)),
                argumentSet(
                        "no objects",
                        "No resources found in default namespace.",
                        first(message, "No resources found in default namespace.", WITHOUT_ERRORS)),
                argumentSet("a line of the log of kubectl", KLOG, first("a line of a log", KLOG, WITHOUT_ERRORS)),
                argumentSet(
                        "a line of another log",
                        "2026-11-27T09:00:01Z INFO start",
                        first("a line of a log", "2026-11-27T09:00:01Z INFO start", WITHOUT_ERRORS)),
                argumentSet(
                        "a table of pods",
                        "NAMESPACE   NAME    READY   STATUS\nshop        web-1   1/1     Running",
                        first(table, "NAMESPACE   NAME    READY   STATUS", OBJECTS)),
                argumentSet(
                        "a table without its header",
                        "shop   web-1   1/1     Running   0   5d",
                        first(table, "shop   web-1   1/1     Running   0   5d", OBJECTS)),
                argumentSet(
                        "names",
                        "pod/web-1\npod/web-2",
                        first("a name that `kubectl get -o name` prints", "pod/web-1", OBJECTS)),
                argumentSet(
                        "a description",
                        "Name:         web-1\nNamespace:    shop",
                        first("the beginning of what `kubectl describe` prints", "Name:         web-1", OBJECTS)),
                argumentSet(
                        "the page of a proxy",
                        "<!DOCTYPE html>\n<html></html>",
                        first(
                                "HTML or XML, as a proxy or a login page sends",
                                "<!DOCTYPE html>",
                                ": see whether `kubectl version` reaches the API server, and run kubectl again:"
                                        + " kubectl get ... -o json > FILE")),
                argumentSet(
                        "a command line of a log of CI",
                        "$ kubectl get pods -o json",
                        first(command, "$ kubectl get pods -o json", WITHOUT_ERRORS)),
                argumentSet(
                        "a command that does not exist",
                        "-bash: kubectl: command not found",
                        first(command, "-bash: kubectl: command not found", WITHOUT_ERRORS)),
                argumentSet(
                        "a text that is nothing known",
                        "Hello, here is my dump",
                        "this line is no JSON, and no field of YAML: \"Hello, here is my dump\"" + OBJECTS),
                argumentSet(
                        "a long line",
                        "Error from server: " + "x".repeat(200),
                        first(message, "Error from server: " + "x".repeat(141) + "...", WITHOUT_ERRORS)));
    }

    @ParameterizedTest
    @MethodSource("firstLines")
    void theFirstLineIsNamed(String line, String message) {
        for (String text : List.of(line, line + "\n" + LIST, line + "\n" + YAML_LIST)) {
            assertThatThrownBy(() -> read(text.getBytes(UTF_8)))
                    .isInstanceOf(DumpException.class)
                    .hasMessage("dump.json:1:1: " + message);
        }
        assertThatThrownBy(() -> read(("\ufeff\r\n" + line + "\r\n" + LIST).getBytes(UTF_16LE)))
                .as("as PowerShell writes it, below a blank line")
                .hasMessage("dump.json:2:1: " + message);
    }

    static Stream<Arguments> laterLines() {
        return Stream.of(
                argumentSet(
                        "an error of the API server after JSON",
                        LIST + FORBIDDEN + "\n",
                        "8:1: after the objects comes a message of kubectl: \"" + FORBIDDEN + "\"" + INCOMPLETE
                                + WITHOUT_ERRORS),
                argumentSet(
                        "an error without a line break",
                        LIST + FORBIDDEN,
                        "8:1: after the objects comes a message of kubectl: \"" + FORBIDDEN + "\"" + INCOMPLETE
                                + WITHOUT_ERRORS),
                argumentSet(
                        "a line of a log after JSON",
                        LIST + KLOG + "\n" + LIST,
                        "8:1: after the objects comes a line of a log: \"" + KLOG + "\"" + INCOMPLETE + WITHOUT_ERRORS),
                argumentSet(
                        "a prompt after JSON",
                        LIST + "me@host:~$ kubectl get nodes\n",
                        "8:1: after the objects comes a command line or a message of a shell: \"me@host:~$ kubectl get"
                                + " nodes\"" + WITHOUT_ERRORS),
                argumentSet(
                        "another text after JSON",
                        LIST + "bye\n",
                        "8:1: an object of JSON ended before this, and no other one begins here: \"bye\""),
                argumentSet(
                        "a brace too many",
                        LIST + "}\n",
                        "8:1: an object of JSON ended before this, and no other one begins here: \"}\""),
                argumentSet(
                        "an error between the lines of JSON",
                        LIST.replace("    \"kind\"", FORBIDDEN + "\n    \"kind\""),
                        "6:1: this line is a message of kubectl, no JSON and no YAML: \"" + FORBIDDEN + "\""
                                + WITHOUT_ERRORS),
                argumentSet(
                        "an error of the API server after YAML, which looks like a field",
                        YAML_LIST + FORBIDDEN + "\n",
                        "9:1: after the objects comes a message of kubectl: \"" + FORBIDDEN + "\"" + INCOMPLETE
                                + WITHOUT_ERRORS),
                argumentSet(
                        "a line of a log after YAML",
                        YAML_LIST + KLOG + "\n",
                        "9:1: after the objects comes a line of a log: \"" + KLOG + "\"" + INCOMPLETE
                                + WITHOUT_ERRORS));
    }

    @ParameterizedTest
    @MethodSource("laterLines")
    void aLaterLineIsNamed(String text, String message) {
        assertThatThrownBy(() -> read(text.getBytes(UTF_8)))
                .isInstanceOf(DumpException.class)
                .hasMessage("dump.json:" + message);
    }

    @Test
    void aLineAfterUtf16IsQuoted() {
        assertThatThrownBy(() -> read(("\ufeff" + LIST + FORBIDDEN + "\n").getBytes(UTF_16LE)))
                .hasMessageContaining("after the objects comes a message of kubectl: \"" + FORBIDDEN + "\"");
    }

    /** The parser has read the line in another piece than what stands before it. */
    @Test
    void aLineFarInTheFileIsQuoted() {
        String longText = LIST.replace(
                "\"v1\",\n    \"items\"", "\"v1\", \"x\": \"" + "x".repeat(300_000) + "\",\n    \"items\"");

        assertThatThrownBy(() -> read((longText + FORBIDDEN + "\n").getBytes(UTF_8)))
                .hasMessageContaining("8:1: after the objects comes a message of kubectl: \"" + FORBIDDEN + "\"");
    }

    static Stream<Arguments> innocent() {
        return Stream.of(
                argumentSet(
                        "an event whose message quotes a shell",
                        "{apiVersion: v1, kind: Event, metadata: {name: e}, message: 'sh: kubectl: command not"
                                + " found'}"),
                argumentSet("a comment with a command", "# kubectl get nodes -o yaml\n" + YAML_LIST),
                argumentSet("a directive", "%YAML 1.1\n---\n" + YAML_LIST),
                argumentSet("names in quotes", "\"apiVersion\": v1\n\"kind\": ConfigMap\n"));
    }

    @ParameterizedTest
    @MethodSource("innocent")
    void whatOnlyLooksLikeItIsRead(String text) throws DumpException {
        assertThat(read(text.getBytes(UTF_8)).warnings()).isEmpty();
    }

    static Stream<Arguments> compressed() {
        return Stream.of(
                argumentSet("xz", new byte[] {(byte) 0xfd, '7', 'z', 'X', 'Z', 0, 0, 4}),
                argumentSet("bzip2", new byte[] {'B', 'Z', 'h', '9', 0x31, 0x41, 0x59}),
                argumentSet("zstd", new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 4, 0}),
                argumentSet("7-Zip", new byte[] {'7', 'z', (byte) 0xbc, (byte) 0xaf, 0x27, 0x1c}));
    }

    @ParameterizedTest
    @MethodSource("compressed")
    void whatIsCompressedInAnotherWayIsNamed(byte[] file) {
        String form = new String[] {"bzip2", "zstd", "7-Zip", "xz"}
                [List.of((byte) 'B', (byte) 0x28, (byte) '7', (byte) 0xfd).indexOf(file[0])];
        assertThatThrownBy(() -> read(file))
                .hasMessage("dump.json:1:1: it is compressed with " + form
                        + ", and of compressed files only gzip and zip are read: unpack it");
    }

    @Test
    void coloursOfALogAreNamed() {
        assertThatThrownBy(() -> read("kind: \u001b[32mList\u001b[0m\n".getBytes(UTF_8)))
                .hasMessage("dump.json: the character U+001B is not allowed in YAML");
    }

    @Test
    void ofAFolderWhatHasNoObjectsIsLeftOut() throws Exception {
        Files.writeString(folder.resolve("a.json"), "");
        Files.writeString(folder.resolve("b.json"), FORBIDDEN + "\n");
        Files.writeString(folder.resolve("c.json"), LIST);
        Files.writeString(folder.resolve("d.yaml"), "replicas: 3\n---\n" + YAML_LIST.replace("n1", "n2"));

        Dump dump = readFolder();

        assertThat(dump.count("Node")).isEqualTo(2);
        assertThat(dump.warnings())
                .containsExactly(
                        folder.resolve("a.json") + " is left out: it is empty: see whether kubectl failed",
                        folder.resolve("b.json") + " is left out: line 1: "
                                + first("a message of kubectl", FORBIDDEN, WITHOUT_ERRORS),
                        "a part of " + folder.resolve("d.yaml")
                                + " is left out: it lacks `apiVersion` or `kind`, so it is no object of Kubernetes");
    }

    @Test
    void ofAFolderAFileWithAMessageBesideObjectsIsRefused() throws Exception {
        Files.writeString(folder.resolve("a.json"), KLOG + "\n" + LIST);

        assertThatThrownBy(this::readFolder).hasMessageStartingWith(folder.resolve("a.json") + ":1:1: this line is");
    }
}
