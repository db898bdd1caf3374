package dev.holdfast.it.fault;

import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.FreePorts;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;

/**
 * A TLS proxy on a loopback port in front of an API server. It uses that server's own certificate, and applies a
 * {@link ProxyFault} to any answer. It serves one request per connection, over HTTP/1.1.
 */
final class FaultProxy implements AutoCloseable {
    private final SSLContext tls;
    private final InetSocketAddress server;
    private final int port;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final Set<ProxyExchange> open = ConcurrentHashMap.newKeySet();
    private final ListTraffic listTraffic = new ListTraffic();
    private volatile ServerSocket listening;

    /** A fault that applies to the matching requests until {@link #close}. */
    record Rule(List<Rule> rules, Predicate<HttpHead> which, ProxyFault proxyFault) implements AutoCloseable {
        @Override
        public void close() {
            rules.remove(this);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    FaultProxy(ControlPlane controlPlane) {
        Config config = controlPlane.config();
        Path certificates = controlPlane.folder().resolve("certificates");
        Config both = new ConfigBuilder(config)
                .withClientCertFile(certificates.resolve("apiserver.crt").toString())
                .withClientKeyFile(certificates.resolve("apiserver.key").toString())
                .build();
        URI behind = URI.create(config.getMasterUrl());
        server = new InetSocketAddress(behind.getHost(), behind.getPort());
        try {
            tls = SSLUtils.sslContext(both);
            // Not any free port: while the proxy is shut, an outgoing connection could get that.
            listening = listen(FreePorts.find(1).getFirst());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the API server's certificate cannot be used", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        port = listening.getLocalPort();
    }

    private ServerSocket listen(int at) throws IOException {
        ServerSocket socket = tls.getServerSocketFactory().createServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at));
        Thread.ofVirtual().start(() -> accept(socket));
        return socket;
    }

    String url() {
        return "https://127.0.0.1:" + port;
    }

    ListTraffic listTraffic() {
        return listTraffic;
    }

    /**
     * Applies a fault to the answers to these requests, including requests in progress, until the returned rule is
     * closed.
     */
    Rule on(Predicate<HttpHead> which, ProxyFault proxyFault) {
        Rule rule = new Rule(rules, which, proxyFault);
        rules.add(rule);
        return rule;
    }

    /** {@return the fault that applies to the answer to a request now} */
    ProxyFault fault(HttpHead request) {
        return rules.stream()
                .filter(rule -> rule.which().test(request))
                .map(Rule::proxyFault)
                .findFirst()
                .orElse(new ProxyFault.Pass());
    }

    /** Breaks the connections of these requests that are in progress. */
    void cut(Predicate<HttpHead> which) {
        open.stream().filter(it -> it.isOf(which)).forEach(ProxyExchange::close);
    }

    /** Refuses new connections, and breaks the open ones. */
    void shut() {
        close();
    }

    /** Accepts connections again. */
    void open() {
        try {
            listening = listen(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException _) {
                // The next connection may succeed; closing the port ends the loop.
            }
        }
    }

    private void serve(Socket client) {
        try (ProxyExchange proxyExchange = new ProxyExchange(this, client)) {
            open.add(proxyExchange);
            try {
                proxyExchange.run();
            } finally {
                open.remove(proxyExchange);
            }
        } catch (IOException | InterruptedException _) {
            // One side has closed its connection, so the proxy closes the other one too.
        }
    }

    /** {@return a new connection to the API server} */
    Socket behind() throws IOException {
        return tls.getSocketFactory().createSocket(server.getAddress(), server.getPort());
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut(_ -> true);
    }
}
