package dev.holdfast.operator.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PlainHttpWatchGuardTest {
    @ParameterizedTest(name = "a WebSocket that is answered with {0} is not replaced by a watch over HTTP")
    @ValueSource(ints = {200, 503})
    void withoutAWebSocketThereIsNoWatch(int code) {
        try (WebSocketApiServer server = new WebSocketApiServer(_ -> new Reply.Says(code, "{}"));
                KubernetesClient client = ApiClients.watching(server.connection(), Duration.ofSeconds(5))) {
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> client.configMaps().inAnyNamespace().watch(new UnusedWatcher()))
                    .withMessageContaining("cannot open a WebSocket: the API server, or a proxy in front of it,"
                            + " answered 200 or 503, or did not answer in time");
            assertThat(server.received())
                    .isNotEmpty()
                    .allMatch(Request::isWatch)
                    .allMatch(Request::webSocket);
        }
    }

    private static final class UnusedWatcher implements Watcher<ConfigMap> {
        @Override
        public void eventReceived(Action action, ConfigMap resource) {
            throw new AssertionError("there is no watch");
        }

        @Override
        public void onClose(WatcherException cause) {}
    }
}
