package dev.holdfast.operator.evict;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A fake API server on loopback with configurable answers to the dry run and the real request of an eviction. */
final class FakeEvictionApi implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Map<RequestMode, Wire> answers;
    private final List<Received> received = Collections.synchronizedList(new ArrayList<>());

    /** What the fake API server does with the connection after it has received a request. */
    sealed interface Wire {
        /** It sends a reply; {@code retryAfter} is the value of the header Retry-After, empty for no header. */
        record Says(int code, String retryAfter, String body) implements Wire {}

        /** It closes the connection once it has read the request. */
        record Cuts() implements Wire {}

        /** It sends no reply and keeps the connection open. */
        record StaysSilent() implements Wire {}
    }

    /** A received request: its request line and its JSON body. */
    record Received(String line, JsonNode body) {
        RequestMode requestMode() {
            return body.path("deleteOptions").path("dryRun").isEmpty() ? RequestMode.REAL : RequestMode.DRY_RUN;
        }
    }

    FakeEvictionApi(Wire dryRun, Wire real) {
        this.answers = Map.of(RequestMode.DRY_RUN, dryRun, RequestMode.REAL, real);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    Config connection() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
    }

    List<Received> received() {
        return List.copyOf(received);
    }

    List<RequestMode> requestModes() {
        return received().stream().map(Received::requestMode).toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        Received request = new Received(line, JSON.readTree(exchange.getRequestBody()));
        received.add(request);
        switch (answers.get(request.requestMode())) {
            case Wire.Says says -> say(exchange, says);
            case Wire.Cuts() -> exchange.close();
            case Wire.StaysSilent() -> awaitClosing();
            case null -> throw new IllegalStateException("no answer for " + request);
        }
    }

    private static void say(HttpExchange exchange, Wire.Says says) throws IOException {
        byte[] body = says.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        if (!says.retryAfter().isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", says.retryAfter());
        }
        exchange.sendResponseHeaders(says.code(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void awaitClosing() {
        try {
            closing.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
