package dev.holdfast.operator.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests writing events to a fake API server, which refuses requests to read events. */
class KubernetesEventSinkTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EVENTS = "/api/v1/namespaces/shop/events";
    private static final EventDraft NOTE = new EventDraft(
            EventTarget.pod(Samples.violation().owner()),
            EventReason.PLACEMENT_VIOLATED,
            Optional.of(Samples.POLICY),
            "ssd",
            "broken",
            Optional.empty());

    private final Map<String, ObjectNode> kept = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final KubernetesClient client;
    private Instant now = Samples.SINCE;
    private KubernetesEventSink events;

    KubernetesEventSinkTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(EVENTS, this::handle);
        server.start();
        Config connection = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
        client = new KubernetesClientBuilder().withConfig(connection).build();
        events = new KubernetesEventSink(client, () -> now);
    }

    @AfterEach
    void close() {
        client.close();
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = exchange.getRequestBody().readAllBytes();
        String name = path.equals(EVENTS)
                ? JSON.readTree(body).at("/metadata/name").asText()
                : path.substring(EVENTS.length() + 1);
        int code = switch (exchange.getRequestMethod()) {
            case "POST" -> kept.putIfAbsent(name, (ObjectNode) JSON.readTree(body)) == null ? 201 : 409;
            case "PATCH" -> merge(name, body) ? 200 : 404;
            default -> 403;
        };
        asked.add(exchange.getRequestMethod() + " " + code);
        byte[] answer = code < 300 ? JSON.writeValueAsBytes(kept.get(name)) : "{}".getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private boolean merge(String name, byte[] patch) throws IOException {
        ObjectNode event = kept.get(name);
        if (event == null) {
            return false;
        }
        JSON.readerForUpdating(event).readValue(patch);
        return true;
    }

    private ObjectNode standing() {
        return Objects.requireNonNull(kept.get(NOTE.name()), "no such event");
    }

    private int count() {
        return standing().path("count").asInt();
    }

    @Test
    void whatHappensAgainIsCountedUpWithoutARead() {
        assertThat(events.write(NOTE, Samples.SINCE)).isTrue();
        assertThat(events.write(NOTE, Samples.SINCE.plusSeconds(60))).isTrue();

        assertThat(asked).containsExactly("POST 201", "PATCH 200");
        assertThat(count()).isEqualTo(2);
        assertThat(standing().path("lastTimestamp").asText()).isEqualTo("2026-11-20T15:33:08Z");
    }

    @Test
    void afterARestartTheCountIsLearntFromTheAnswerToAPatch() {
        events.write(NOTE, Samples.SINCE);
        events.write(NOTE, Samples.SINCE);
        asked.clear();

        events = new KubernetesEventSink(client, () -> now);
        assertThat(events.write(NOTE, Samples.SINCE)).isTrue();

        assertThat(asked).containsExactly("POST 409", "PATCH 200", "PATCH 200");
        assertThat(count()).isEqualTo(3);
    }

    /** The API server deletes an event an hour after its last change; the cached count must expire before. */
    @Test
    void aCountIsForgottenFiftyMinutesAfterItsEventWasLastWritten() {
        events.write(NOTE, now);
        now = now.plus(Duration.ofMinutes(50)).minusNanos(1);
        events.write(NOTE, now);
        assertThat(asked).containsExactly("POST 201", "PATCH 200");
        asked.clear();

        now = now.plus(Duration.ofMinutes(50));
        events.write(NOTE, now);

        assertThat(asked).containsExactly("POST 409", "PATCH 200", "PATCH 200");
        assertThat(count()).isEqualTo(3);
    }

    @Test
    void anEventThatTheServerHasForgottenIsMadeAgain() {
        events.write(NOTE, Samples.SINCE);
        kept.clear();

        assertThat(events.write(NOTE, Samples.SINCE)).isTrue();

        assertThat(asked).containsExactly("POST 201", "PATCH 404", "POST 201");
        assertThat(count()).isEqualTo(1);
    }
}
