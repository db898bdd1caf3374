package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The connections that a process has accepted. */
class AcceptedConnectionsTest {
    private static final long SELF = ProcessHandle.current().pid();
    private static final long NO_PROCESS = 1L << 40;

    @Test
    void aConnectionCountsFromWhenItIsAcceptedUntilTheServerClosesIt() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Set<Integer> ports = Set.of(server.getLocalPort());
            try (Socket accepted = acceptedOfAClientThatHasGone(server)) {
                assertThat(AcceptedConnections.now(SELF, ports)).isOne();
                assertThat(AcceptedConnections.now(SELF, Set.of(accepted.getPort())))
                        .as("to the port of the client")
                        .isZero();
            }
            assertThat(AcceptedConnections.now(SELF, ports)).isZero();
        }
    }

    private static Socket acceptedOfAClientThatHasGone(ServerSocket server) throws IOException {
        try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
            Set<Integer> ports = Set.of(server.getLocalPort());
            assertThat(client.isConnected()).isTrue();
            assertThat(AcceptedConnections.now(SELF, ports)).isZero();
            return server.accept();
        }
    }

    @Test
    void aProcessThatHasEndedHasNone() {
        assertThat(AcceptedConnections.now(NO_PROCESS, Set.of(80))).isZero();
    }
}
