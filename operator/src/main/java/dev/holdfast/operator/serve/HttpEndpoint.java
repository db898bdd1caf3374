package dev.holdfast.operator.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small HTTP server that answers GET and HEAD requests for fixed paths. Each request has a virtual thread of its own,
 * so slow clients hold up only themselves. The system properties that {@link #limits} sets bound connections and times.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);

    /** How many connections may wait to be accepted. */
    private static final int WAITING = 1_024;

    /** How many connections one server has at most; further ones are closed at once. */
    private static final int MOST_CONNECTIONS = 4_096;

    /** How long a client may take to send a request, in seconds. */
    private static final int MOST_REQUEST_SECONDS = 5;

    /** How long a client may take to read a reply, in seconds. */
    private static final int MOST_REPLY_SECONDS = 30;

    /** How long a connection may be idle between requests, in seconds. */
    private static final int MOST_IDLE_SECONDS = 10;

    private static final int NO_BODY = -1;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int SERVER_ERROR = 500;

    private final HttpServer server;
    private final ExecutorService threads;
    private final Map<String, Supplier<HttpReply>> paths;
    private final Optional<ReaderAccess> access;

    private HttpEndpoint(HttpServer server, Map<String, Supplier<HttpReply>> paths, Optional<ReaderAccess> access) {
        this.server = server;
        this.access = access;
        this.paths = Map.copyOf(paths);
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("holdfast-http-", 0).factory());
    }

    /** What a server is for, and the configuration key of its port. */
    public enum Purpose {
        PROBES("probes", "http.port"),
        METRICS("metrics", "metrics.port");

        private final String what;
        private final String portKey;

        Purpose(String what, String portKey) {
            this.what = what;
            this.portKey = portKey;
        }
    }

    /** Bounds the connections and times of all servers of this process. Must be called before the first one starts. */
    public static void limits() {
        System.setProperty("jdk.httpserver.maxConnections", String.valueOf(MOST_CONNECTIONS));
        System.setProperty("sun.net.httpserver.maxReqTime", String.valueOf(MOST_REQUEST_SECONDS));
        System.setProperty("sun.net.httpserver.maxRspTime", String.valueOf(MOST_REPLY_SECONDS));
        System.setProperty("sun.net.httpserver.idleInterval", String.valueOf(MOST_IDLE_SECONDS));
    }

    /**
     * Starts a server and returns it.
     *
     * @param purpose what the server is for, which error messages name
     * @param address the address to listen on; port 0 means any free port
     * @param paths for each path, the supplier that creates the reply to each request
     * @param https how it serves HTTPS, and who may read; if empty, everyone may, by HTTP
     * @throws IOException if the address cannot be listened on; the message names the address, the error and what to do
     */
    public static HttpEndpoint start(
            Purpose purpose,
            InetSocketAddress address,
            Map<String, Supplier<HttpReply>> paths,
            Optional<HttpsSettings> https)
            throws IOException {
        HttpEndpoint endpoint =
                new HttpEndpoint(listen(purpose, address, https), paths, https.map(HttpsSettings::access));
        endpoint.server.setExecutor(endpoint.threads);
        endpoint.server.createContext("/", endpoint::handle);
        endpoint.server.start();
        return endpoint;
    }

    private static HttpServer listen(Purpose purpose, InetSocketAddress address, Optional<HttpsSettings> https)
            throws IOException {
        if (address.isUnresolved()) {
            throw new UnknownHostException(refusal(purpose, address, "unknown host"));
        }
        try {
            if (https.isEmpty()) {
                return HttpServer.create(address, WAITING);
            }
            HttpsServer server = HttpsServer.create(address, WAITING);
            server.setHttpsConfigurator(new HttpsConfigurator(https.get().certificate()));
            return server;
        } catch (SocketException e) {
            SocketException detailed = new SocketException(refusal(purpose, address, String.valueOf(e.getMessage())));
            detailed.initCause(e);
            throw detailed;
        }
    }

    private static String refusal(Purpose purpose, InetSocketAddress address, String why) throws IOException {
        String advice = isOfThisMachine(address)
                ? "choose another " + purpose.portKey
                : "set --http-address to an address of this machine";
        if (address.getHostString().matches("[^:]*:[0-9]+")) {
            advice = "--http-address takes no port: set " + purpose.portKey + " in the configuration";
        }
        return "cannot listen on " + address.getHostString() + ":" + address.getPort() + " for " + purpose.what + ": "
                + why + "; " + advice;
    }

    private static boolean isOfThisMachine(InetSocketAddress address) throws IOException {
        InetAddress host = address.getAddress();
        return !address.isUnresolved() && (host.isAnyLocalAddress() || NetworkInterface.getByInetAddress(host) != null);
    }

    /** {@return the port that the server listens on} */
    public int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpReply httpReply = answer(exchange);
            byte[] body = httpReply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", httpReply.contentType());
            if (httpReply.status() == UNAUTHORIZED) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            }
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
                exchange.sendResponseHeaders(httpReply.status(), NO_BODY);
            } else {
                exchange.sendResponseHeaders(httpReply.status(), body.length == 0 ? NO_BODY : body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    private HttpReply answer(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        Optional<Supplier<HttpReply>> found = Optional.ofNullable(paths.get(path));
        if (found.isEmpty()) {
            return HttpReply.of(
                    NOT_FOUND,
                    "not found; available: "
                            + String.join(", ", paths.keySet().stream().sorted().toList()));
        }
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            return HttpReply.of(METHOD_NOT_ALLOWED, "only GET and HEAD are allowed");
        }
        Optional<HttpReply> refusal = access.flatMap(it ->
                it.refusal(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")), path));
        if (refusal.isPresent()) {
            return refusal.get();
        }
        try {
            return found.get().get();
        } catch (RuntimeException e) {
            LOG.error("Failed to serve {}", path, e);
            return HttpReply.of(SERVER_ERROR, "failed; see the operator's log");
        }
    }

    /** Stops the server at once, without waiting for requests in progress. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
