package dev.holdfast.operator.observe;

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
final class Requests implements ApiServer, AutoCloseable {
    private static final String GZIP = "gzip";

    /** A refusal is read to here, and for so long at most: whoever refuses may be slow, or broken. */
    private static final int LONGEST_REFUSAL = 16 * 1024;

    private static final Duration REFUSAL = Duration.ofSeconds(1);

    private final String server;
    private final Handover bodies = new Handover();
    private final KubernetesClient client;

    Requests(Config connection) {
        Config plain = new ConfigBuilder(connection).withHttp2Disable(true).build();
        this.server = plain.getMasterUrl().replaceAll("/+$", "");
        this.client = OneShotClient.streaming(plain, bodies);
    }

    /** {@return the same server, whose answers may come compressed: never to be asked for a watch} */
    ApiServer compressed() {
        return (path, accept, timeout, patience) -> get(path, accept, GZIP, timeout, patience);
    }

    @Override
    public Answer get(String path, String accept, Duration timeout, Duration patience) throws InterruptedException {
        // The client would ask for gzip by itself, which costs the API server twice as much on a watch.
        return get(path, accept, "identity", timeout, patience);
    }

    private Answer get(String path, String accept, String encoding, Duration timeout, Duration patience)
            throws InterruptedException {
        try (Handover.Ticket ticket = bodies.expect(patience)) {
            HttpRequest request = client.getHttpClient()
                    .newHttpRequestBuilder()
                    .uri(URI.create(server + path))
                    .header("Accept", accept)
                    .header("Accept-Encoding", encoding)
                    .header(Handover.HEADER, ticket.id())
                    .build();
            HttpResponse<AsyncBody> answer =
                    answer(client.getHttpClient().consumeBytes(request, (_, _) -> {}), timeout);
            return plain(answer, ticket.take());
        }
    }

    private static Answer plain(HttpResponse<AsyncBody> answer, Body body) {
        Answer plain = GZIP.equalsIgnoreCase(answer.header("Content-Encoding")) ? new Gunzip(body) : body;
        if (!answer.isSuccessful()) {
            body.within(REFUSAL);
            try (plain) {
                throw refused(answer, plain);
            }
        }
        return plain;
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

    private static Refused refused(HttpResponse<?> answer, Answer body) {
        Duration retryAfter = retryAfter(answer);
        try {
            return Refused.of(answer.code(), body.readNBytes(LONGEST_REFUSAL), retryAfter);
        } catch (IOException e) {
            String unread = "and why could not be read: " + e.getMessage();
            return Refused.of(answer.code(), unread.getBytes(StandardCharsets.UTF_8), retryAfter);
        }
    }

    /** Ends all answers that are being read. */
    @Override
    public void close() {
        bodies.close();
        client.close();
    }
}
