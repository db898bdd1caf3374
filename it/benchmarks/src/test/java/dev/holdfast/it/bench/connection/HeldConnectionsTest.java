package dev.holdfast.it.bench.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How clients hold connections to a server that only accepts them. */
class HeldConnectionsTest {
    private final ServerSocket server;

    HeldConnectionsTest() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private HeldConnections start(ClientBehavior behavior) {
        ServedPort port = new ServedPort(server.getLocalPort(), "/livez", ServedPort.Scheme.HTTP);
        return HeldConnections.start(List.of(port), 1, behavior);
    }

    @Test
    void aClientWhoseConnectionIsClosedOpensAnother() throws Exception {
        try (HeldConnections held = start(ClientBehavior.IDLE)) {
            server.accept().close();

            try (Socket second = server.accept()) {
                await().until(() -> held.open() == 1);
                assertThat(second.isConnected()).isTrue();
                assertThat(held.most()).isEqualTo(1);
            }
        }
    }

    @Test
    void afterwardsNoConnectionIsLeft() throws Exception {
        HeldConnections held = start(ClientBehavior.UNREAD);
        try (Socket client = server.accept()) {
            held.close();

            assertThat(held.open()).isZero();
            assertThat(client.isConnected()).isTrue();
        }
    }

    @Test
    void halfARequestHasNoEnd() throws Exception {
        try (HeldConnections _ = start(ClientBehavior.HALF_REQUEST);
                Socket client = server.accept()) {
            assertThat(new String(client.getInputStream().readNBytes(26), StandardCharsets.US_ASCII))
                    .isEqualTo("GET /livez HTTP/1.1\r\nHost:");
        }
    }
}
