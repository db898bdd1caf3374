package dev.holdfast.operator.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that no client follows a redirect, which would send its token to another server. */
class RedirectTest {
    private final AtomicInteger received = new AtomicInteger();
    private final HttpServer other = server();
    private final HttpServer redirecting = server();

    private static HttpServer server() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        other.stop(0);
        redirecting.stop(0);
    }

    static Stream<Arguments> clients() {
        return Stream.of(
                client("one that retries", ApiClients::retrying),
                client("one that sends once", connection -> ApiClients.of(connection, Duration.ofSeconds(5))),
                client(
                        "one that is intercepted",
                        connection -> ApiClients.intercepted(
                                connection, Duration.ofSeconds(5), chain -> chain.proceed(chain.request()))),
                client(
                        "one that writes statuses",
                        connection -> ApiClients.writingStatus(connection, Duration.ofSeconds(5))),
                client("one that watches", connection -> ApiClients.watching(connection, Duration.ofSeconds(5))),
                client(
                        "one that streams",
                        connection -> ApiClients.streaming(connection, chain -> chain.proceed(chain.request()))));
    }

    private static Arguments client(String name, Function<Config, KubernetesClient> client) {
        return argumentSet(name, client);
    }

    @ParameterizedTest
    @MethodSource("clients")
    void noRedirectIsFollowed(Function<Config, KubernetesClient> clients) {
        other.createContext("/", exchange -> {
            received.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        redirecting.createContext("/", exchange -> {
            exchange.getResponseHeaders()
                    .set("Location", "http://127.0.0.1:" + other.getAddress().getPort() + "/");
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
        });
        other.start();
        redirecting.start();
        Config connection = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + redirecting.getAddress().getPort())
                .withOauthToken("secret")
                .build();

        try (KubernetesClient client = clients.apply(connection)) {
            assertThatThrownBy(() -> client.raw("/api/v1/nodes", "GET", null))
                    .isInstanceOf(KubernetesClientException.class);
        }

        assertThat(received).hasValue(0);
    }
}
