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
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;

/**
 * Makes clients that send each request at most once and wait for its answer only so long.
 *
 * <p>Two layers would send again by themselves: the Kubernetes client after 429, 5xx and broken connections, and OkHttp
 * below it after a connection broke with the request already on its way.
 */
public final class ApiClients {
    /** Pings find a dead API server in two of these, however quiet the watch. */
    private static final Duration PING = Duration.ofSeconds(10);

    private static final Duration CONNECTING = Duration.ofSeconds(10);

    /** Longer than a watch may be silent for who feeds a kind by it. */
    private static final Duration SILENCE = Duration.ofSeconds(100);

    /**
     * Reads only what it is given a class for. The one that a client makes for itself loads every class of every API that
     * the libraries know, hundreds, to tell kinds apart that nobody asks it for.
     */
    private static final KubernetesSerialization JSON = json();

    private ApiClients() {}

    private static KubernetesSerialization json() {
        KubernetesSerialization json = new KubernetesSerialization(new ObjectMapper(), false);
        // What a watch says when it gives up comes where an object of its kind would.
        json.registerKubernetesResource(Status.class);
        return json;
    }

    /** {@return a client of its own, to be closed by the caller} */
    public static KubernetesClient of(Config connection, Duration timeout) {
        return builder(connection, timeout).build();
    }

    /** {@return a client that tries again by itself, for what may come late; to be closed by the caller} */
    public static KubernetesClient retrying(Config connection) {
        return new KubernetesClientBuilder()
                .withConfig(connection)
                .withKubernetesSerialization(JSON)
                .build();
    }

    /** {@return a client that can also watch, by WebSocket only; to be closed by the caller} */
    public static KubernetesClient watching(Config connection, Duration timeout) {
        Config watching = new ConfigBuilder(connection)
                .withWebsocketPingInterval(PING.toMillis())
                .withOnlyHttpWatches(false)
                .build();
        return builder(watching, timeout)
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor("no HTTP watches", new PlainHttpWatchGuard()))
                .build();
    }

    /**
     * {@return a client for streams of bytes, to be closed by the caller} It only reads: what met a connection that had died
     * unnoticed may be sent again. Its answers may take any time, but a connection on which nothing comes is closed, whether
     * anybody still waits for it or not.
     *
     * @param bodies takes the bodies of the answers
     */
    static KubernetesClient streaming(Config connection, Interceptor bodies) {
        Config impatient = new ConfigBuilder(connection)
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(0)
                .build();
        return builder(impatient, new Streaming(bodies)).build();
    }

    private static KubernetesClientBuilder builder(Config connection, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        Config impatient = new ConfigBuilder(connection)
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(millis)
                .withConnectionTimeout(millis)
                .build();
        return builder(impatient, new Once());
    }

    private static KubernetesClientBuilder builder(Config connection, HttpClient.Factory http) {
        return new KubernetesClientBuilder()
                .withConfig(connection)
                .withKubernetesSerialization(JSON)
                .withHttpClientFactory(http);
    }

    private static final class Streaming extends OkHttpClientFactory {
        private final Interceptor bodies;

        Streaming(Interceptor bodies) {
            this.bodies = bodies;
        }

        @Override
        protected void additionalConfig(OkHttpClient.Builder builder) {
            builder.connectTimeout(CONNECTING).readTimeout(SILENCE).addInterceptor(bodies);
        }
    }

    private static final class Once extends OkHttpClientFactory {
        @Override
        protected void additionalConfig(OkHttpClient.Builder builder) {
            builder.retryOnConnectionFailure(false);
        }
    }
}
