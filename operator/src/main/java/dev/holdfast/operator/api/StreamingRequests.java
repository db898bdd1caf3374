package dev.holdfast.operator.api;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends GET requests and returns their response bodies as byte streams, over HTTP/1.1. TLS, proxy and credentials are
 * those of the Kubernetes client, which also renews the credentials.
 */
public final class StreamingRequests implements ApiServer, AutoCloseable {
    /** The maximum number of bytes that are read of an error response. */
    private static final int LONGEST_REFUSAL = 16 * 1024;

    /** The maximum time for reading an error response, whose sender may be slow or broken. */
    private static final Duration REFUSAL = Duration.ofSeconds(1);

    private final String server;
    private final StreamingBodies bodies = new StreamingBodies();
    private final KubernetesClient client;

    /** The context of the kubeconfig, as the end of messages; empty without a kubeconfig. */
    private final String context;

    public StreamingRequests(Config connection) {
        Config plain = new ConfigBuilder(connection).withHttp2Disable(true).build();
        this.server = plain.getMasterUrl().replaceAll("/+$", "");
        this.client = ApiClients.streaming(plain, bodies);
        this.context = Optional.ofNullable(connection.getCurrentContext())
                .map(it -> " of context " + it.getName())
                .orElse("");
    }

    @Override
    public String described() {
        return "the API server " + server + context;
    }

    @Override
    public StreamedResponse get(String path, String accept, Duration timeout, Duration patience)
            throws InterruptedException {
        try (StreamingBodies.Ticket ticket = bodies.expect(patience)) {
            HttpRequest request = client.getHttpClient()
                    .newHttpRequestBuilder()
                    .uri(URI.create(server + path))
                    .header("Accept", accept)
                    // By default the client requests gzip, which doubles the API server's cost of a watch.
                    .header("Accept-Encoding", "identity")
                    .header(StreamingBodies.HEADER, ticket.id())
                    .build();
            HttpResponse<AsyncBody> answer =
                    answer(client.getHttpClient().consumeBytes(request, (_, _) -> {}), timeout);
            return accepted(answer, ticket.take());
        }
    }

    private static StreamedResponse accepted(HttpResponse<AsyncBody> answer, ResponseStream responseStream) {
        if (!answer.isSuccessful()) {
            responseStream.within(REFUSAL);
            try (responseStream) {
                throw refused(answer, responseStream);
            }
        }
        return responseStream;
    }

    private static HttpResponse<AsyncBody> answer(CompletableFuture<HttpResponse<AsyncBody>> pending, Duration timeout)
            throws InterruptedException {
        try {
            return pending.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            pending.cancel(true);
            throw new UncheckedIOException(new IOException("timeout"));
        } catch (InterruptedException e) {
            pending.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io
                    ? new UncheckedIOException(io)
                    : new IllegalStateException(e.getCause());
        }
    }

    /**
     * {@return the time in the header {@code Retry-After}; zero if the header is absent or is not a number of seconds}
     */
    private static Duration retryAfter(HttpResponse<?> answer) {
        String seconds = Objects.requireNonNullElse(answer.header("Retry-After"), "");
        return seconds.matches("[0-9]{1,6}") ? Duration.ofSeconds(Long.parseLong(seconds)) : Duration.ZERO;
    }

    private static ApiRefusal refused(HttpResponse<?> answer, StreamedResponse body) {
        Duration retryAfter = retryAfter(answer);
        try {
            return ApiRefusal.of(answer.code(), body.readNBytes(LONGEST_REFUSAL), retryAfter);
        } catch (IOException e) {
            String unread = "the reason could not be read: " + e.getMessage();
            return ApiRefusal.of(answer.code(), unread.getBytes(StandardCharsets.UTF_8), retryAfter);
        }
    }

    /** Ends all open response bodies, and closes the client. */
    @Override
    public void close() {
        bodies.close();
        client.close();
    }
}
