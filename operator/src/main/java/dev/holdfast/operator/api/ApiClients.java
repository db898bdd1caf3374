package dev.holdfast.operator.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.List;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;

/**
 * Factory of Kubernetes clients. Unless a method says otherwise, a client sends each request at most once and limits
 * the wait for the response.
 */
public final class ApiClients {
    /**
     * Interval of WebSocket pings. A client detects a dead API server after two intervals, even if the watch has no
     * events.
     */
    private static final Duration PING = Duration.ofSeconds(10);

    private static final Duration CONNECTING = Duration.ofSeconds(10);

    /**
     * The longest wait for the next bytes of a streamed response. A feed (which lists and watches one kind) ends a
     * silent watch earlier, after {@code FeedTrust.LONGEST_SILENCE}.
     */
    private static final Duration SILENCE = Duration.ofSeconds(100);

    /**
     * Reads and writes the JSON of all clients, and reads only into classes that the caller names. The client's default
     * would load hundreds of classes, for kinds that the operator never requests.
     */
    private static final KubernetesSerialization JSON = json(new ObjectMapper());

    private static final KubernetesSerialization TRIMMED_JSON = json(TrimmedMetadata.mapper());

    private static final KubernetesSerialization STATUS_JSON = json(TrimmedMetadata.mapperWithoutSpec());

    private static final ApiRequests REQUESTS = new ApiRequests();

    private ApiClients() {}

    /** {@return the requests of all clients of this process} */
    public static ApiRequests requests() {
        return REQUESTS;
    }

    private static KubernetesSerialization json(ObjectMapper mapper) {
        KubernetesSerialization json = new KubernetesSerialization(mapper, false);
        // If an error ends a watch, the last event has a Status in place of an object of the watched kind.
        json.registerKubernetesResource(Status.class);
        return json;
    }

    /**
     * {@return a new client, to be closed by the caller}
     *
     * @param timeout the longest wait for a connection, and for a response
     */
    public static KubernetesClient of(Config connection, Duration timeout) {
        return builder(connection, timeout).build();
    }

    /**
     * {@return a new client like that of {@link #of}, to be closed by the caller}
     *
     * @param interceptor is called for each request
     */
    public static KubernetesClient intercepted(Config connection, Duration timeout, Interceptor interceptor) {
        return builder(connection, timeout, new Once(List.of(interceptor))).build();
    }

    /** {@return a client with the default retries, for requests that are not urgent; to be closed by the caller} */
    public static KubernetesClient retrying(Config connection) {
        return builder(connection, new Direct()).build();
    }

    /**
     * {@return a client of policies and pauses, to be closed by the caller} The client can also watch, over WebSocket
     * only, and reads no metadata that Holdfast does not use.
     *
     * @param timeout the longest wait for a connection, and for a response
     */
    public static KubernetesClient watching(Config connection, Duration timeout) {
        Config watching = new ConfigBuilder(connection)
                .withWebsocketPingInterval(PING.toMillis())
                .withOnlyHttpWatches(false)
                .build();
        return builder(watching, timeout)
                .withKubernetesSerialization(TRIMMED_JSON)
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor("no HTTP watches", new PlainHttpWatchGuard()))
                .build();
    }

    /**
     * {@return a client that writes statuses of policies and pauses, to be closed by the caller} The client skips the
     * spec in responses.
     *
     * @param timeout the longest wait for a connection, and for a response
     */
    public static KubernetesClient writingStatus(Config connection, Duration timeout) {
        return builder(connection, timeout)
                .withKubernetesSerialization(STATUS_JSON)
                .build();
    }

    /**
     * {@return a client for streamed responses, to be closed by the caller} The client only reads, so it may repeat a
     * request whose connection turns out to be dead. A response may take any time, but the connection is closed after
     * {@code SILENCE} without data.
     *
     * @param bodies the interceptor that receives the response bodies
     */
    static KubernetesClient streaming(Config connection, Interceptor bodies) {
        Config impatient = new ConfigBuilder(connection)
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(0)
                .build();
        return builder(impatient, new Streaming(bodies)).build();
    }

    private static KubernetesClientBuilder builder(Config connection, Duration timeout) {
        return builder(connection, timeout, new Once(List.of()));
    }

    private static KubernetesClientBuilder builder(Config connection, Duration timeout, HttpClient.Factory http) {
        int millis = Math.toIntExact(timeout.toMillis());
        Config impatient = new ConfigBuilder(connection)
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(millis)
                .withConnectionTimeout(millis)
                .build();
        return builder(impatient, http);
    }

    private static KubernetesClientBuilder builder(Config connection, HttpClient.Factory http) {
        return new KubernetesClientBuilder()
                .withConfig(connection)
                .withKubernetesSerialization(JSON)
                .withHttpClientFactory(http);
    }

    /**
     * Follows no redirect: kubectl and the API server have none, and a redirect could send credentials to another
     * server. Counts all requests.
     */
    private static class Direct extends OkHttpClientFactory {
        @Override
        protected void additionalConfig(OkHttpClient.Builder builder) {
            builder.followRedirects(false).followSslRedirects(false).addInterceptor(REQUESTS);
        }
    }

    private static final class Streaming extends Direct {
        private final Interceptor bodies;

        Streaming(Interceptor bodies) {
            this.bodies = bodies;
        }

        @Override
        protected void additionalConfig(OkHttpClient.Builder builder) {
            super.additionalConfig(builder);
            builder.connectTimeout(CONNECTING).readTimeout(SILENCE).addInterceptor(bodies);
        }
    }

    private static final class Once extends Direct {
        private final List<Interceptor> interceptors;

        Once(List<Interceptor> interceptors) {
            this.interceptors = interceptors;
        }

        @Override
        protected void additionalConfig(OkHttpClient.Builder builder) {
            super.additionalConfig(builder);
            builder.retryOnConnectionFailure(false);
            interceptors.forEach(builder::addInterceptor);
        }
    }
}
