package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.HotSpotDiagnosticMXBean;
import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.offline.print.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Compares the threads of {@code holdfast run}, virtual ones included, with the tables of a page for contributors. */
@ResourceLock(Resources.SYSTEM_ERR)
@Timeout(180)
class RunThreadsTest {
    private static final Path PAGE = Path.of("..", "docs", "internals", "threads.md");
    private static final String OURS = "## The threads of Holdfast";
    private static final String OF_OTHERS = "## The threads of libraries and of the JVM";

    /**
     * The threads of Holdfast that rely on the default handler. Those of the command's lifetime do nothing that another
     * thread could take over, and the log starts before that lifetime.
     */
    private static final List<String> WITH_DEFAULT_HANDLER =
            List.of("main", "holdfast-signal", "holdfast-failed", "holdfast-log");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    private final PrintStream standardError = System.err;
    private final WebSocketApiServer server = new WebSocketApiServer(RunThreadsTest::answer);

    @TempDir
    private Path folder = Path.of("");

    /**
     * A row of a table.
     *
     * @param name a name of the row, in which {@code *} stands for any text
     * @param always whether such a thread always runs
     */
    private record Row(String name, boolean always) {
        boolean isOf(String thread) {
            String pattern =
                    Arrays.stream(name.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
            return thread.matches(pattern);
        }
    }

    @BeforeEach
    void silence() {
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    @AfterEach
    void close() {
        System.setErr(standardError);
        server.close();
    }

    /** {@return the answer of an API server that has no policy, and refuses all other requests} */
    private static WebSocketApiServer.Reply answer(WebSocketApiServer.Request request) {
        if (request.target().equals("/version")) {
            return new WebSocketApiServer.Reply.Says(200, "{\"major\": \"1\", \"minor\": \"37\"}");
        }
        if (!request.target().startsWith("/apis/holdfast.dev/v1alpha1/")) {
            return new WebSocketApiServer.Reply.Says(404, "{}");
        }
        return request.isWatch()
                ? new WebSocketApiServer.Reply.Opens(_ -> {})
                : new WebSocketApiServer.Reply.Says(200, "{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": []}");
    }

    @Test
    void theThreadsOfTheOperatorAreThoseOfThePage() throws Exception {
        List<Row> ours = rows(OURS);
        List<Row> all = Stream.of(ours, rows(OF_OTHERS)).flatMap(List::stream).toList();
        Map<Long, String> before = threads();
        CompletableFuture<Integer> exit = new CompletableFuture<>();

        Thread main = Thread.ofPlatform().name("main").start(() -> exit.complete(run()));

        try {
            eventually()
                    .untilAsserted(() -> assertThat(withoutThread(all, since(before)))
                            .as("rows that always have a thread, without one")
                            .isEmpty());
            assertThat(withoutRow(since(before), all))
                    .as("threads without a row")
                    .isEmpty();
            assertThat(ours).extracting(Row::name).containsAll(WITH_DEFAULT_HANDLER);
            assertThat(withRow(withoutHandler(before), ours))
                    .as("threads of the operator without a handler of their own")
                    .isSubsetOf(WITH_DEFAULT_HANDLER)
                    .contains("main");
        } finally {
            // As a signal does.
            main.interrupt();
        }

        assertThat(exit.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
        eventually()
                .untilAsserted(() -> assertThat(withRow(since(before), ours))
                        .as("threads of the operator after its end")
                        .isEmpty());
    }

    private static List<String> withoutThread(List<Row> rows, List<String> threads) {
        return rows.stream()
                .filter(Row::always)
                .filter(row -> threads.stream().noneMatch(row::isOf))
                .map(Row::name)
                .toList();
    }

    private static List<String> withoutRow(List<String> threads, List<Row> rows) {
        return threads.stream()
                .filter(thread -> rows.stream().noneMatch(row -> row.isOf(thread)))
                .toList();
    }

    private static List<String> withRow(List<String> threads, List<Row> rows) {
        return threads.stream()
                .filter(thread -> rows.stream().anyMatch(row -> row.isOf(thread)))
                .toList();
    }

    /** {@return the names of the platform threads that have started since and leave an exception to their group} */
    private static List<String> withoutHandler(Map<Long, String> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.containsKey(thread.threadId()))
                .filter(thread -> thread.getUncaughtExceptionHandler() instanceof ThreadGroup)
                .map(Thread::getName)
                .toList();
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .pollInSameThread();
    }

    private int run() {
        Path kubeconfig = write("KUBECONFIG", """
            apiVersion: v1
            kind: Config
            current-context: test
            contexts: [{name: test, context: {cluster: test, user: test}}]
            clusters: [{name: test, cluster: {server: "%s"}}]
            users: [{name: test, user: {token: t}}]
            """.formatted(server.connection().getMasterUrl()));
        Path config = write("config.yaml", "{maxMode: Enforce, http: {port: 0}, metrics: {port: 0}}");
        return HoldfastCommand.commandLine(new ProcessEnvironment(
                        new SteadyClock(InstantSource.system(), System::nanoTime),
                        Map.of(),
                        folder,
                        InputStream.nullInputStream(),
                        new Terminal(folder, Map.of()),
                        _ -> {}))
                .execute("run", "--kubeconfig=" + kubeconfig, "--config=" + config, "--enforce");
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the names in the table below a heading} */
    private static List<Row> rows(String heading) throws IOException {
        String section = Files.readString(PAGE)
                .split(Pattern.quote(heading) + "\n", 2)[1]
                .split("\n## ", 2)[0];
        return section.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split(" \\| "))
                .flatMap(cells ->
                        NAME.matcher(cells[0]).results().map(name -> new Row(name.group(1), cells[1].equals("always"))))
                .toList();
    }

    /** {@return the names of the threads that have started since} */
    private List<String> since(Map<Long, String> before) throws IOException {
        Map<Long, String> threads = threads();
        threads.keySet().removeAll(before.keySet());
        return threads.values().stream()
                .filter(name -> !name.equals(WebSocketApiServer.THREAD))
                .sorted()
                .toList();
    }

    /** {@return the names of all threads, by id; a dump has virtual threads too, which no list of stack traces has} */
    private Map<Long, String> threads() throws IOException {
        Path dump = folder.resolve("threads.json").toAbsolutePath();
        Files.deleteIfExists(dump);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
        Map<Long, String> threads = new TreeMap<>();
        for (JsonNode container : JSON.readTree(dump.toFile()).at("/threadDump/threadContainers")) {
            for (JsonNode thread : container.path("threads")) {
                threads.put(thread.path("tid").asLong(), thread.path("name").asText());
            }
        }
        return threads;
    }
}
