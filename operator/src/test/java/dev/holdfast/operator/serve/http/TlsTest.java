package dev.holdfast.operator.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HandshakeCertificates;
import org.junit.jupiter.api.Test;

class TlsTest {
    @Test
    void theServerKnowsTwoProtocolsAndRemembersFewSessions() throws Exception {
        SSLContext context = new HandshakeCertificates.Builder().build().sslContext();
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
                Socket accepted = listening.accept()) {
            assertThat(client.isConnected()).isTrue();

            SSLSocket layered = Tls.layered(context, accepted);

            assertThat(layered.getEnabledProtocols()).containsExactly("TLSv1.3", "TLSv1.2");
            assertThat(layered.getUseClientMode()).isFalse();
            assertThat(context.getServerSessionContext().getSessionCacheSize()).isEqualTo(64);
        }
    }
}
