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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Requests whose answers are streams of bytes, over HTTP/1.1 and with the TLS, the proxy and the credentials of the
 * Kubernetes client, which it renews.
 */
public final class StreamingRequests implements ApiServer, AutoCloseable {
    /** A refusal is read to here, and for so long at most: whoever refuses may be slow, or broken. */
    private static final int LONGEST_REFUSAL = 16 * 1024;

    private static final Duration REFUSAL = Duration.ofSeconds(1);

    private final String server;
    private final StreamingBodies bodies = new StreamingBodies();
    private final KubernetesClient client;

    public StreamingRequests(Config connection) {
        Config plain = new ConfigBuilder(connection).withHttp2Disable(true).build();
        this.server = plain.getMasterUrl().replaceAll("/+$", "");
        this.client = ApiClients.streaming(plain, bodies);
    }

    @Override
    public StreamedResponse get(String path, String accept, Duration timeout, Duration patience)
            throws InterruptedException {
        try (StreamingBodies.Ticket ticket = bodies.expect(patience)) {
            HttpRequest request = client.getHttpClient()
                    .newHttpRequestBuilder()
                    .uri(URI.create(server + path))
                    .header("Accept", accept)
                    // The client would ask for gzip by itself, which costs the API server twice as much on a watch.
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

    private static HttpResponse<AsyncBody> answer(CompletableFuture<HttpResponse<AsyncBody>> asked, Duration timeout)
            throws InterruptedException {
        try {
            return asked.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            asked.cancel(true);
            throw new UncheckedIOException(new IOException("timeout"));
        } catch (InterruptedException e) {
            asked.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io
                    ? new UncheckedIOException(io)
                    : new IllegalStateException(e.getCause());
        }
    }

    /** {@return what the header asks for in seconds; nothing if it does so in another way, or not at all} */
    private static Duration retryAfter(HttpResponse<?> answer) {
        String seconds = Objects.requireNonNullElse(answer.header("Retry-After"), "");
        return seconds.matches("[0-9]{1,6}") ? Duration.ofSeconds(Long.parseLong(seconds)) : Duration.ZERO;
    }

    private static ApiRefusal refused(HttpResponse<?> answer, StreamedResponse body) {
        Duration retryAfter = retryAfter(answer);
        try {
            return ApiRefusal.of(answer.code(), body.readNBytes(LONGEST_REFUSAL), retryAfter);
        } catch (IOException e) {
            String unread = "and why could not be read: " + e.getMessage();
            return ApiRefusal.of(answer.code(), unread.getBytes(StandardCharsets.UTF_8), retryAfter);
        }
    }

    /** Ends all answers that are being read. */
    @Override
    public void close() {
        bodies.close();
        client.close();
    }
}
