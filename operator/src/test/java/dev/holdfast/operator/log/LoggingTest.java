package dev.holdfast.operator.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import dev.holdfast.operator.feed.WebSocketApiServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the operator writes to standard error (the log) and to standard output (the audit log). */
class LoggingTest {
    private static final Logger OWN = LoggerFactory.getLogger("holdfast");
    private static final Logger LIBRARY = LoggerFactory.getLogger("io.fabric8.kubernetes.client");
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");

    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void capture() {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void release() {
        System.setOut(realOut);
        System.setErr(realErr);
        Logging.configure(LogLevel.WARN, LogFormat.TEXT);
    }

    /** {@return what was written to standard error, with all lines that waited} */
    private String err() {
        Logging.close();
        return err.toString(StandardCharsets.UTF_8);
    }

    private static void log() {
        OWN.atInfo()
                .addKeyValue("policy", "shop/web")
                .addKeyValue("demand", "disk In [\"ssd\"]")
                .log("it happened");
        OWN.debug("a detail");
        LIBRARY.info("a library talks");
        AUDIT.info("{}", "{\"plan\":\"p1\"}");
    }

    @Test
    void theEventProcessorOfTheFrameworkKeepsItsWarnings() {
        Logging.configure(LogLevel.INFO, LogFormat.TEXT);
        LoggerFactory.getLogger("io.javaoperatorsdk.operator.processing.event.EventProcessor")
                .warn("Uncaught error", new IllegalStateException("planted"));

        assertThat(err()).contains("WARN", "Uncaught error", "planted");
    }

    static Stream<Arguments> failedWrites() {
        Exception refused = new KubernetesClientException("planted");
        return Stream.of(
                argumentSet("a failed request", refused),
                argumentSet("an exception because of a failed request", new IllegalStateException(refused)));
    }

    @ParameterizedTest
    @MethodSource("failedWrites")
    void failedRequestsOfTheEventProcessorAreNotLoggedTwice(Exception failure) {
        Logging.configure(LogLevel.INFO, LogFormat.TEXT);
        LoggerFactory.getLogger("io.javaoperatorsdk.operator.processing.event.EventProcessor")
                .warn("Error during event processing", failure);
        LoggerFactory.getLogger("io.javaoperatorsdk.operator.Operator").warn("another class", failure);

        assertThat(err()).contains("another class").doesNotContain("Error during event processing");
    }

    @Test
    void jsonIsOneObjectALineWithItsKeys() throws Exception {
        Logging.configure(LogLevel.INFO, LogFormat.JSON);
        log();

        String written = err();
        JsonNode line = JsonMapper.builder().build().readTree(written);
        assertThat(line.fieldNames())
                .toIterable()
                .containsExactly("time", "level", "message", "logger", "thread", "policy", "demand");
        assertThat(Instant.parse(line.get("time").asText()))
                .isBefore(InstantSource.system().instant());
        assertThat(line.get("level").asText()).isEqualTo("INFO");
        assertThat(line.get("message").asText()).isEqualTo("it happened");
        assertThat(line.get("logger").asText()).isEqualTo("holdfast");
        assertThat(line.get("policy").asText()).isEqualTo("shop/web");
        assertThat(line.get("demand").asText()).isEqualTo("disk In [\"ssd\"]");
        assertThat(written.lines()).hasSize(1);
    }

    @Test
    void anErrorIsOneKeyOfTheSameLine() throws Exception {
        Logging.configure(LogLevel.INFO, LogFormat.JSON);
        OWN.error("it failed", new IllegalStateException("because"));

        String written = err();
        assertThat(written.lines()).hasSize(1);
        assertThat(JsonMapper.builder().build().readTree(written).get("error").asText())
                .startsWith("java.lang.IllegalStateException: because")
                .contains("LoggingTest");
    }

    static Stream<Arguments> forgeries() {
        return Stream.of(
                argumentSet("a line break", "x\n12:00:00.000 INFO  all is well", "x\\n12:00:00.000 INFO  all is well"),
                argumentSet("a carriage return", "x\rall is well", "x\\u000dall is well"),
                argumentSet("an escape sequence of a terminal", "\u001b[2Kall is well", "\\u001b[2Kall is well"),
                argumentSet("a next line of Latin-1", "x\u0085all is well", "x\\u0085all is well"),
                argumentSet("a line separator of Unicode", "x\u2028all is well", "x\\u2028all is well"),
                argumentSet("text that runs right to left", "x\u202ellew", "x\\u202ellew"),
                argumentSet("an escaped line break", "x\\nall is well", "x\\\\nall is well"));
    }

    @ParameterizedTest
    @MethodSource("forgeries")
    void noTextFromTheClusterBeginsALineOrEndsAValue(String text, String written) {
        Logging.configure(LogLevel.INFO, LogFormat.TEXT);
        OWN.atInfo().addKeyValue("reason", text + "\" policy=\"other").log(text);
        OWN.atWarn().setCause(new IllegalStateException(text)).log("it failed");

        List<String> lines = err().lines().toList();
        assertThat(lines.getFirst()).endsWith("INFO  " + written + " reason=\"" + written + "\\\" policy=\\\"other\"");
        assertThat(lines.get(1)).endsWith("WARN  it failed");
        assertThat(lines.subList(2, lines.size())).isNotEmpty().allMatch(line -> line.startsWith("\t"));
    }

    @ParameterizedTest
    @MethodSource("forgeries")
    void noTextFromTheClusterAddsALineOfJson(String text, String written) throws Exception {
        Logging.configure(LogLevel.INFO, LogFormat.JSON);
        OWN.atInfo().addKeyValue("reason", text + "\", \"policy\": \"other").log(text);

        String line = err();
        assertThat(line).endsWith(System.lineSeparator());
        // Readers differ in what ends a line, but agree about printable ASCII.
        assertThat(line.strip().chars()).allMatch(it -> it >= ' ' && it <= '~');
        JsonNode json = JsonMapper.builder().build().readTree(line);
        assertThat(json.get("message").asText()).isEqualTo(text);
        assertThat(json.has("policy")).isFalse();
    }

    @Test
    void aTextOfAMebibyteIsCutOff() {
        Logging.configure(LogLevel.INFO, LogFormat.JSON);
        OWN.atInfo().addKeyValue("reason", "r".repeat(1 << 20)).log("m".repeat(1 << 20));

        assertThat(err()).hasSizeLessThan(3 * LogText.MAX).contains("m... (1048576 characters)", "r... (1048576");
    }

    @Test
    void aReaderThatTakesNothingHoldsNoThreadUpAndOnlyTheLogLosesLines() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        System.setErr(new PrintStream(new OutputStream() {
            @Override
            public void write(int character) {
                try {
                    reads.await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
                err.write(character);
            }
        }));
        Logging.configure(LogLevel.INFO, LogFormat.TEXT);

        for (int i = 0; i < 2 * BoundedAppender.QUEUE; i++) {
            OWN.info("line {}", i);
            AUDIT.info("audited {}", i);
        }
        reads.countDown();
        await("the log says what it lost").until(() -> {
            OWN.info("again");
            return err.toString(StandardCharsets.UTF_8).contains("Dropped log lines");
        });

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("line " + (BoundedAppender.QUEUE - 1))
                .doesNotContain("line " + (2 * BoundedAppender.QUEUE - 1));
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(2 * BoundedAppender.QUEUE);
    }

    @Test
    void textIsForPeople() {
        Logging.configure(LogLevel.INFO, LogFormat.TEXT);
        log();

        assertThat(err()).matches("[0-9:.]+ INFO  it happened policy=\"shop/web\" demand=.*\\R");
    }

    @Test
    void theAuditLogAloneGoesToStandardOutputWhateverTheLevel() {
        Logging.configure(LogLevel.ERROR, LogFormat.JSON);
        log();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("{\"plan\":\"p1\"}" + System.lineSeparator());
        assertThat(err()).isEmpty();
    }

    @Test
    void librariesAreHeardOnlyByThoseWhoLookForAFault() {
        Logging.configure(LogLevel.DEBUG, LogFormat.TEXT);
        log();

        assertThat(err()).contains("a detail", "a library talks");
    }

    @Test
    void credentialsAreNotLoggedAtTheFinestLevel() {
        Logging.configure(LogLevel.TRACE, LogFormat.TEXT);
        try (WebSocketApiServer server = new WebSocketApiServer(_ -> new WebSocketApiServer.Reply.Says(200, "{}"));
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(new ConfigBuilder(server.connection())
                                .withOauthToken("a-secret-token")
                                .build())
                        .build()) {
            client.raw("/version");
            assertThat(server.received()).hasSize(1);
        }

        assertThat(err()).doesNotContain("a-secret-token");
    }
}
