package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import dev.holdfast.operator.feed.WebSocketApiServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("WARN", "Uncaught error", "planted");
    }

    @Test
    void jsonIsOneObjectALineWithItsKeys() throws Exception {
        Logging.configure(LogLevel.INFO, LogFormat.JSON);
        log();

        JsonNode line = JsonMapper.builder().build().readTree(err.toString(StandardCharsets.UTF_8));
        assertThat(line.get("level").asText()).isEqualTo("INFO");
        assertThat(line.get("formattedMessage").asText()).isEqualTo("it happened");
        assertThat(line.get("policy").asText()).isEqualTo("shop/web");
        assertThat(line.get("demand").asText()).isEqualTo("disk In [\"ssd\"]");
        assertThat(line.fieldNames())
                .toIterable()
                .containsExactly(
                        "timestamp",
                        "nanoseconds",
                        "level",
                        "threadName",
                        "loggerName",
                        "policy",
                        "demand",
                        "formattedMessage",
                        "throwable");
        assertThat(line.get("timestamp").isNumber()).isTrue();
        assertThat(line.get("nanoseconds").asInt()).isBetween(0, 999_999_999);
        assertThat(line.get("nanoseconds").asInt() / 1_000_000)
                .isEqualTo(line.get("timestamp").asLong() % 1_000);
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
    }

    @Test
    void textIsForPeople() {
        Logging.configure(LogLevel.INFO, LogFormat.TEXT);
        log();

        assertThat(err.toString(StandardCharsets.UTF_8))
                .matches("[0-9:.]+ INFO  it happened policy=\"shop/web\" demand=.*\\R");
    }

    @Test
    void theAuditLogAloneGoesToStandardOutputWhateverTheLevel() {
        Logging.configure(LogLevel.ERROR, LogFormat.JSON);
        log();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("{\"plan\":\"p1\"}" + System.lineSeparator());
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void librariesAreHeardOnlyByThoseWhoLookForAFault() {
        Logging.configure(LogLevel.DEBUG, LogFormat.TEXT);
        log();

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("a detail", "a library talks");
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

        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("a-secret-token");
    }
}
