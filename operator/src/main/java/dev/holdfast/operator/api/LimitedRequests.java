package dev.holdfast.operator.api;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * JSON requests to the API server, each with a time limit of its own. The limit of the HTTP client is not enough. That
 * client cancels the request, but the caller waits until a thread of the HTTP client has ended to read the answer.
 */
public final class LimitedRequests implements AutoCloseable {
    private final KubernetesClient client;
    private final KubernetesSerialization json;
    private final String server;
    private final Duration limit;

    /**
     * Requests that go through a client.
     *
     * @param client closed together with the requests
     * @param limit the longest wait for the complete answer
     */
    public LimitedRequests(KubernetesClient client, Duration limit) {
        this.client = client;
        this.json = client.getKubernetesSerialization();
        this.server = client.getConfiguration().getMasterUrl().replaceAll("/+$", "");
        this.limit = limit;
    }

    /**
     * Sends one request, and returns the object in the answer.
     *
     * @param body the object to send; empty for a request without a body
     * @throws KubernetesClientException if the API server refuses
     * @throws RuntimeException if there is no answer in time, or the answer cannot be read
     */
    public <T> T send(String method, String path, Optional<?> body, Class<T> type) {
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(server + path)
                .timeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .method(method, "application/json", body.map(json::asJson).orElse(null))
                .build();
        HttpResponse<String> answer = answer(client.getHttpClient().sendAsync(request, String.class));
        String text = Objects.requireNonNullElse(answer.body(), "");
        if (!answer.isSuccessful()) {
            throw ApiRefusal.of(answer.code(), text.getBytes(StandardCharsets.UTF_8), Duration.ZERO);
        }
        return json.unmarshal(text, type);
    }

    private <T> HttpResponse<T> answer(CompletableFuture<HttpResponse<T>> pending) {
        try {
            return pending.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw late();
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new InterruptedIOException("interrupted while waiting for the answer"));
        } finally {
            pending.cancel(true);
        }
    }

    private UncheckedIOException late() {
        return new UncheckedIOException(new IOException("no complete answer within " + limit.toMillis() + " ms"));
    }

    private RuntimeException failure(ExecutionException e) {
        return switch (e.getCause()) {
            // The client has a limit too, for the head of the answer only.
            case TimeoutException _ -> late();
            case IOException io -> new UncheckedIOException(io);
            case RuntimeException failure -> failure;
            case null, default -> new IllegalStateException(e);
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
