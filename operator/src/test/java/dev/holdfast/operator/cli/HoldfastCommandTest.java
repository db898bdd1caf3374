package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.crds.CrdFile;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Output and exit codes of the commands, without a usable cluster. */
class HoldfastCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return CommandRun.printingTo(folder, out, err).execute(arguments);
    }

    @Test
    void crdsPrintsWhatIsInstalled() {
        assertThat(run("crds")).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .isEqualTo(CrdFile.all().get(0).yaml() + "---\n"
                        + CrdFile.all().get(1).yaml() + "---\n"
                        + CrdFile.all().get(2).yaml());
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void crdsSaysHowItsOutputIsInstalled() {
        assertThat(run("crds", "--help")).isEqualTo(ExitCode.OK);

        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("to be installed by: holdfast crds | kubectl apply --server-side -f -");
    }

    @Test
    void versionPrintsTheVersionOfTheBuild() {
        assertThat(run("version")).isEqualTo(ExitCode.OK);

        assertThat(out.toString()).matches("holdfast [0-9]+\\.[0-9]+\\.[0-9]+\\S*\njava 25.*\n");
    }

    @Test
    void helpNamesTheCommands() {
        assertThat(run("--help")).isEqualTo(ExitCode.OK);

        assertThat(out.toString()).contains("run ", "crds ", "version ").contains("Exit codes:");
    }

    @Test
    void helpOfACommandIsItsHelp() {
        assertThat(run("help", "check")).isEqualTo(ExitCode.OK);

        assertThat(out.toString()).startsWith("Usage: holdfast check ");
    }

    @Test
    void runSaysWhatItsConfigurationIsAndWhereThePortIsSaid() {
        assertThat(run("run", "--help")).isEqualTo(ExitCode.OK);

        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("the keys of config in the chart's values, and also ownNamespace and"
                        + " metrics.certificateFolder")
                .contains("without a port: the configuration sets the ports");
    }

    @Test
    void noCommandIsBadUsage() {
        assertThat(run()).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString()).isEqualTo("""
            holdfast: missing command; use one of: check, explain, what-if, zones, test, report, dump, demo, run, crds, completion, version, help
            Try: holdfast --help
            """);
    }

    @Test
    void anUnknownOptionIsBadUsage() {
        assertThat(run("run", "--frobnicate")).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString()).isEqualTo("holdfast: Unknown option: '--frobnicate'\nTry: holdfast run --help\n");
        assertThat(out.toString()).isEmpty();
    }

    static Stream<Arguments> mistyped() {
        return Stream.of(
                argumentSet(
                        "a command",
                        List.of("chek"),
                        "unknown command or argument 'chek': did you mean check or help?"),
                argumentSet(
                        "a command with --help",
                        List.of("chek", "--help"),
                        "unknown command or argument 'chek': did you mean check or help?"),
                argumentSet("a command that help is about", List.of("help", "chek"), "unknown command 'chek'"),
                argumentSet(
                        "an option",
                        List.of("check", "--filenam", "x"),
                        "Unknown options: '--filenam', 'x': did you mean --filename?"),
                argumentSet(
                        "a form of output",
                        List.of("what-if", "-o", "xml"),
                        "Invalid value for option '--output': must be one of text, wide, json, yaml, html, and is"
                                + " 'xml'"),
                argumentSet(
                        "a threshold",
                        List.of("check", "--fail-on", "Warning"),
                        "Invalid value for option '--fail-on': must be one of undetermined, any, violated, enforced,"
                                + " due, killed, never, and is 'Warning'"),
                argumentSet(
                        "labels in quotes",
                        List.of("what-if", "--label", "node/n1 disk-"),
                        "--label takes several arguments, and 'node/n1 disk-' is one: leave out the quotes around it"));
    }

    @ParameterizedTest
    @MethodSource("mistyped")
    void whatIsMistypedIsNamedWithWhatMayBeMeant(List<String> arguments, String message) {
        assertThat(run(arguments.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString()).startsWith("holdfast: " + message + "\nTry: holdfast");
    }

    @Test
    void anUnreadableConfigurationIsOneLine() {
        Path missing = folder.resolve("config.yaml");

        assertThat(run("run", "--config", missing.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).isEqualTo("holdfast: " + missing + ": file does not exist\n");
    }

    @Test
    void everyFaultOfAConfigurationIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("config.yaml"), "{maxMode: Sometimes, colour: blue}");

        assertThat(run("run", "--config", file.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("holdfast: " + file + ": "));
        assertThat(err.toString()).contains("maxMode", "colour");
    }

    @Test
    void withoutAKubeconfigThereIsNothingToRunOn() {
        assertThat(run("run")).isEqualTo(ExitCode.COULD_NOT_RUN);

        assertThat(err.toString()).isEqualTo("holdfast: no kubeconfig: give --kubeconfig FILE, or set KUBECONFIG\n");
    }

    @Test
    void anUnreadableKubeconfigIsOneLine() {
        Path missing = folder.resolve("kubeconfig");

        assertThat(run("run", "--kubeconfig", missing.toString())).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(err.toString()).isEqualTo("holdfast: kubeconfig " + missing + " does not exist\n");
    }

    @Test
    void aClusterWithoutTheKindsIsOneLine() throws IOException {
        HttpServer knowsNothing = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        knowsNothing.createContext("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        knowsNothing.createContext("/version", exchange -> {
            byte[] version = "{\"major\": \"1\", \"minor\": \"37\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, version.length);
            exchange.getResponseBody().write(version);
            exchange.close();
        });
        knowsNothing.start();
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            current-context: local
            contexts: [{name: local, context: {cluster: local, user: me}}]
            clusters: [{name: local, cluster: {server: "http://127.0.0.1:%s"}}]
            users: [{name: me, user: {}}]
            """.formatted(
                        knowsNothing.getAddress().getPort()));
        Path config = Files.writeString(
                folder.resolve("config.yaml"),
                "{http: {port: " + freePort() + "}, metrics: {port: " + freePort() + "}}\n");
        try {
            int exit = run("run", "--kubeconfig", kubeconfig.toString(), "--config", config.toString());

            assertThat(err.toString())
                    .startsWith("holdfast: PlacementPolicy CRD is not installed: run `holdfast crds | kubectl apply")
                    .endsWith("\n")
                    .hasLineCount(1);
            assertThat(exit).isEqualTo(ExitCode.COULD_NOT_RUN);
        } finally {
            knowsNothing.stop(0);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
