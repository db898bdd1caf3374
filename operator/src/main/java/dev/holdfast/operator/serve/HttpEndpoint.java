package dev.holdfast.operator.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A small HTTP server that answers GET and HEAD requests for fixed paths. */
public final class HttpEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);

    private static final int THREADS = 4;
    private static final int WAITING = 64;
    private static final int NO_BODY = -1;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int SERVER_ERROR = 500;

    private final HttpServer server;
    private final ExecutorService threads;
    private final Map<String, Supplier<HttpReply>> paths;

    private HttpEndpoint(HttpServer server, Map<String, Supplier<HttpReply>> paths) {
        this.server = server;
        this.paths = Map.copyOf(paths);
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(WAITING),
                Thread.ofPlatform().daemon().name("holdfast-http-", 0).factory());
    }

    /**
     * Starts a server and returns it.
     *
     * @param address the address to listen on; port 0 means any free port
     * @param paths for each path, the supplier that creates the reply to each request
     * @throws IOException if the address cannot be listened on; the message names the address, the error and what to do
     */
    public static HttpEndpoint start(InetSocketAddress address, Map<String, Supplier<HttpReply>> paths)
            throws IOException {
        HttpEndpoint endpoint = new HttpEndpoint(listen(address), paths);
        endpoint.server.setExecutor(endpoint.threads);
        endpoint.server.createContext("/", endpoint::handle);
        endpoint.server.start();
        return endpoint;
    }

    private static HttpServer listen(InetSocketAddress address) throws IOException {
        if (address.isUnresolved()) {
            throw new UnknownHostException(refusal(address, "unknown host"));
        }
        try {
            return HttpServer.create(address, WAITING);
        } catch (SocketException e) {
            SocketException detailed = new SocketException(refusal(address, String.valueOf(e.getMessage())));
            detailed.initCause(e);
            throw detailed;
        }
    }

    private static String refusal(InetSocketAddress address, String why) throws IOException {
        String advice = isOfThisMachine(address)
                ? "choose another http.port"
                : "set --http-address to an address of this machine";
        if (address.getHostString().matches("[^:]*:[0-9]+")) {
            advice = "--http-address takes no port: set http.port in the configuration";
        }
        return "cannot listen on " + address.getHostString() + ":" + address.getPort() + " for probes and metrics: "
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
