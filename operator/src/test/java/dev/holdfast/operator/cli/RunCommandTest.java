package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.offline.print.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * What {@code holdfast run} says before its first request, and where it listens. Its port is taken, so that it ends
 * before the first request.
 */
@ResourceLock(Resources.SYSTEM_ERR)
class RunCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String OBSERVES =
            "Holdfast connecting in observe-only mode (Audit at most): pass --enforce to allow evictions";
    private static final String CONNECTS = "Holdfast connecting";
    private static final String NOT_VERIFIED = "The server's certificate is not verified, because"
            + " insecure-skip-tls-verify is set: another server could take its place";

    private static final String FILE_SERVER = "https://one.example:6443/";
    private static final String POD_SERVER = "https://kubernetes.default.svc/";
    private static final String POD = "the pod's service account";

    private static final String KUBECONFIG = """
        apiVersion: v1
        kind: Config
        current-context: prod
        contexts: [{name: prod, context: {cluster: k1, user: u}}]
        clusters: [{name: k1, cluster: {server: "https://one.example:6443"}}]
        users: [{name: u, user: {token: t}}]
        """;
    private static final String INSECURE =
            KUBECONFIG.replace("one.example:6443\"", "one.example:6443\", insecure-skip-tls-verify: true");

    @TempDir
    private Path folder;

    /**
     * A start of the command.
     *
     * @param kubeconfig the content of the file {@code KUBECONFIG} in the folder
     * @param pod whether the process runs in a pod
     * @param arguments the arguments after {@code run}; {@code FILE} stands for the path of the kubeconfig
     * @param maxMode the value of maxMode in the configuration file
     */
    record Start(String kubeconfig, boolean pod, List<String> arguments, String maxMode) {
        static Start of(String... arguments) {
            return new Start(KUBECONFIG, false, List.of(arguments), "Enforce");
        }

        Start inPod() {
            return new Start(kubeconfig, true, arguments, maxMode);
        }

        Start insecure() {
            return new Start(INSECURE, pod, arguments, maxMode);
        }

        Start auditing() {
            return new Start(kubeconfig, pod, arguments, "Audit");
        }
    }

    static Stream<Arguments> starts() {
        List<String> observes = List.of("INFO " + OBSERVES + " context=prod server=" + FILE_SERVER + " maxMode=Audit");
        List<String> enforces =
                List.of("INFO " + CONNECTS + " context=prod server=" + FILE_SERVER + " maxMode=Enforce");
        return Stream.of(
                argumentSet("with a kubeconfig", Start.of("--kubeconfig=FILE"), observes, "127.0.0.1"),
                argumentSet(
                        "with a kubeconfig, in a pod",
                        Start.of("--kubeconfig=FILE").inPod(),
                        observes,
                        "127.0.0.1"),
                argumentSet(
                        "with a kubeconfig and --enforce",
                        Start.of("--kubeconfig=FILE", "--enforce"),
                        enforces,
                        "127.0.0.1"),
                argumentSet(
                        "with a kubeconfig and --enforce, in a pod",
                        Start.of("--kubeconfig=FILE", "--enforce").inPod(),
                        enforces,
                        "127.0.0.1"),
                argumentSet(
                        "with the pod's service account",
                        Start.of().inPod(),
                        List.of("INFO " + CONNECTS + " context=" + POD + " server=" + POD_SERVER + " maxMode=Enforce"),
                        "0.0.0.0"),
                argumentSet(
                        "with --enforce, but a configuration that caps at Audit",
                        Start.of("--kubeconfig=FILE", "--enforce").auditing(),
                        List.of("INFO " + CONNECTS + " context=prod server=" + FILE_SERVER + " maxMode=Audit"),
                        "127.0.0.1"),
                argumentSet(
                        "with a kubeconfig that does not verify the server",
                        Start.of("--kubeconfig=FILE").insecure(),
                        List.of(observes.getFirst(), "WARN " + NOT_VERIFIED + " server=" + FILE_SERVER),
                        "127.0.0.1"),
                argumentSet(
                        "with an address of its own",
                        Start.of("--kubeconfig=FILE", "--http-address=localhost"),
                        observes,
                        "localhost"));
    }

    @ParameterizedTest
    @MethodSource("starts")
    void itSaysWhereItConnectsAndOnlyObservesWithAKubeconfigUnlessToldToEnforce(
            Start start, List<String> said, String address) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            StringWriter err = new StringWriter();

            List<String> log = run(start, taken.getLocalPort(), err);

            assertThat(log).isEqualTo(said);
            assertThat(err.toString()).startsWith("holdfast: cannot listen on " + address + ":" + taken.getLocalPort());
        }
    }

    /** {@return the lines of the log as {@code LEVEL message key=value ...}} */
    private List<String> run(Start start, int port, StringWriter err) throws IOException {
        Path kubeconfig = Files.writeString(folder.resolve("KUBECONFIG"), start.kubeconfig());
        Path config = Files.writeString(
                folder.resolve("config.yaml"),
                "{maxMode: " + start.maxMode() + ", http: {port: " + port + "}, metrics: {port: 0}}");
        List<String> arguments = new ArrayList<>(List.of("run", "--config=" + config));
        start.arguments().forEach(argument -> arguments.add(argument.replace("FILE", kubeconfig.toString())));
        ProcessEnvironment processEnvironment = new ProcessEnvironment(
                new SteadyClock(() -> Instant.EPOCH, () -> 0),
                start.pod() ? Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1") : Map.of(),
                folder,
                InputStream.nullInputStream(),
                new Terminal(folder, Map.of()),
                _ -> {});
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            CommandLine commandLine = HoldfastCommand.commandLine(processEnvironment);
            commandLine.setErr(new PrintWriter(err));
            assertThat(commandLine.execute(arguments.toArray(String[]::new))).isEqualTo(ExitCode.COULD_NOT_RUN);
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8)
                .lines()
                .map(RunCommandTest::line)
                .toList();
    }

    private static String line(String json) {
        try {
            JsonNode line = JSON.readTree(json);
            StringBuilder text = new StringBuilder()
                    .append(line.path("level").asText())
                    .append(' ')
                    .append(line.path("message").asText());
            Stream.of("context", "server", "maxMode")
                    .filter(line::has)
                    .forEach(key -> text.append(' ')
                            .append(key)
                            .append('=')
                            .append(line.path(key).asText()));
            return text.toString();
        } catch (JsonProcessingException e) {
            return json;
        }
    }
}
