package dev.holdfast.operator.evict;

import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Client of the Eviction API: sends an eviction, as a dry run or for real. Each call sends at most one request.
 *
 * <p>Callers should send the dry run first. A real request whose preconditions fail still consumes one allowed
 * disruption of the PodDisruptionBudget; a dry run does not.
 */
public final class Evictor implements AutoCloseable {
    /** The timeout of a request. A request is sent only if this replica is sure to lead for at least that long. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

    private final KubernetesClient client;
    private final HttpClient http;
    private final EvictionAnswerReader reader;
    private final LeaseFence leaseFence;
    private final Duration timeout;

    /**
     * An evictor with its own connection.
     *
     * @param leaseFence checked right before each request; if it refuses, the answer is {@code NotSent}
     */
    public Evictor(Config connection, LeaseFence leaseFence) {
        this(connection, leaseFence, REQUEST_TIMEOUT);
    }

    Evictor(Config connection, LeaseFence leaseFence, Duration timeout) {
        this.client = ApiClients.of(connection, timeout);
        this.http = client.getHttpClient();
        this.reader = new EvictionAnswerReader(client.getKubernetesSerialization());
        this.leaseFence = leaseFence;
        this.timeout = timeout;
    }

    /**
     * Sends the dry run of an eviction and returns the answer, within about three seconds. {@code Evicted} means that
     * the real request would be granted.
     */
    public EvictionAnswer dryRun(EvictionRequest request) {
        return request(RequestMode.DRY_RUN, request);
    }

    /** Sends the eviction and returns the answer, within about three seconds. */
    public EvictionAnswer evict(EvictionRequest request) {
        return request(RequestMode.REAL, request);
    }

    private EvictionAnswer request(RequestMode requestMode, EvictionRequest request) {
        HttpRequest post =
                post(request.pod(), client.getKubernetesSerialization().asJson(EvictionBody.of(requestMode, request)));
        if (!leaseFence.allows(timeout)) {
            return new EvictionAnswer.NotSent("this replica does not hold the lease, or may lose it during a request");
        }
        CompletableFuture<HttpResponse<String>> sent = http.sendAsync(post, String.class);
        try {
            return reader.read(requestMode, reply(sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS)));
        } catch (TimeoutException _) {
            return late(requestMode);
        } catch (ExecutionException e) {
            // The caller and the connection each have a timeout; either may expire first.
            return e.getCause() instanceof InterruptedIOException
                    ? late(requestMode)
                    : EvictionAnswerReader.lost(requestMode, "no answer: " + e.getCause());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return EvictionAnswerReader.lost(requestMode, "the operator stopped while waiting for the answer");
        } finally {
            sent.cancel(true);
        }
    }

    private EvictionAnswer late(RequestMode requestMode) {
        return EvictionAnswerReader.lost(requestMode, "no answer within " + timeout.toMillis() + " ms");
    }

    private HttpRequest post(NamespacedName pod, String body) {
        String path = "api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name() + "/eviction";
        return http.newHttpRequestBuilder()
                .uri(client.getMasterUrl() + path)
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .post("application/json", body)
                .build();
    }

    private static EvictionReply reply(HttpResponse<String> response) {
        Optional<Duration> retryAfter = Optional.ofNullable(response.header("Retry-After"))
                .filter(seconds -> seconds.matches("\\d{1,5}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
        return new EvictionReply(
                response.code(),
                retryAfter,
                Optional.ofNullable(response.body()).orElse(""));
    }

    @Override
    public void close() {
        client.close();
    }
}
