package dev.holdfast.operator.observe;

import dev.holdfast.operator.decode.MalformedException;
import dev.holdfast.operator.decode.StatusDecoder;
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
import java.util.Arrays;
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
    /** A refusal is read to here, and for so long at most: whoever refuses may be slow, or broken. */
    private static final int LONGEST_REFUSAL = 16 * 1024;

    private static final Duration REFUSAL = Duration.ofSeconds(1);
    private static final int REFUSAL_PARTS = 10;

    /** Of a refusal in other words than the API server's, so many bytes are shown. */
    private static final int SHOWN = 200;

    private final String server;
    private final KubernetesClient client;

    Requests(Config connection) {
        Config plain = new ConfigBuilder(connection).withHttp2Disable(true).build();
        this.server = plain.getMasterUrl().replaceAll("/+$", "");
        this.client = OneShotClient.streaming(plain);
    }

    @Override
    public Body get(String path, String accept, Duration timeout, Duration patience) throws InterruptedException {
        Body body = new Body(patience);
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(URI.create(server + path))
                .header("Accept", accept)
                // The client would ask for gzip by itself, which costs the API server twice as much on a watch.
                .header("Accept-Encoding", "identity")
                .build();
        CompletableFuture<HttpResponse<AsyncBody>> asked =
                client.getHttpClient().consumeBytes(request, body);
        HttpResponse<AsyncBody> answer = answer(asked, timeout);
        body.from(answer.body());
        if (!answer.isSuccessful()) {
            try (body) {
                throw new Refused(answer.code(), message(body), retryAfter(answer));
            }
        }
        return body;
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

    /** {@return what the API server says of it, or the beginning of what somebody before it says} */
    private static String message(Body body) {
        byte[] bytes = new byte[LONGEST_REFUSAL];
        int length = 0;
        try {
            body.patience(REFUSAL);
            for (int part = 0; part < REFUSAL_PARTS; part++) {
                length += Math.max(0, body.read(bytes, length, bytes.length - length));
            }
        } catch (IOException e) {
            return "and why could not be read: " + e.getMessage();
        }
        try {
            return StatusDecoder.ofBody(Arrays.copyOf(bytes, length)).message();
        } catch (MalformedException _) {
            return new String(bytes, 0, Math.min(length, SHOWN), StandardCharsets.UTF_8).strip();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
