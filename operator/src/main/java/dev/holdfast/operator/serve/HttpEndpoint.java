package dev.holdfast.operator.serve;

import dev.holdfast.operator.serve.http.ConnectionLimits;
import dev.holdfast.operator.serve.http.ConnectionListener;
import dev.holdfast.operator.serve.http.ConnectionThreads;
import dev.holdfast.operator.serve.http.RequestHead;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small HTTP server that answers GET and HEAD requests for fixed paths. How many connections it has, how much of a
 * request it reads and how long a client may take are bounded, so clients can hold up only themselves. See ADR 15.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);

    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int SERVER_ERROR = 500;

    private final Map<String, Supplier<HttpReply>> paths;
    private final Optional<ReaderAccess> access;
    private final ConnectionListener listener;

    private HttpEndpoint(
            Purpose purpose,
            InetSocketAddress address,
            Map<String, Supplier<HttpReply>> paths,
            Optional<HttpsSettings> https,
            ConnectionLimits limits,
            Thread.UncaughtExceptionHandler onDeath)
            throws IOException {
        this.paths = Map.copyOf(paths);
        this.access = https.map(HttpsSettings::access);
        this.listener = ConnectionListener.start(
                address,
                purpose.threads(onDeath),
                limits,
                https.map(HttpsSettings::certificate),
                connection -> new Conversation(connection, purpose.keepsAlive(), this::answer).hold());
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

        /**
         * {@return whether connections stay open for further requests: not for probes, since a kubelet opens one for
         * each}
         */
        private boolean keepsAlive() {
            return switch (this) {
                case PROBES -> false;
                case METRICS -> true;
            };
        }

        private ConnectionThreads threads(Thread.UncaughtExceptionHandler onDeath) {
            return switch (this) {
                case PROBES -> ConnectionThreads.ofSystem(what, onDeath);
                case METRICS -> ConnectionThreads.virtual(what, onDeath);
            };
        }
    }

    /**
     * Starts a server and returns it.
     *
     * @param purpose what the server is for, which error messages name
     * @param address the address to listen on; port 0 means any free port
     * @param paths for each path, the supplier that creates the reply to each request
     * @param https how to serve HTTPS, and who may read; if empty, everyone may read by HTTP
     * @param onDeath called if a thread of the server dies
     * @throws IOException if the address cannot be listened on; the message names the address, the error and what to do
     */
    public static HttpEndpoint start(
            Purpose purpose,
            InetSocketAddress address,
            Map<String, Supplier<HttpReply>> paths,
            Optional<HttpsSettings> https,
            Thread.UncaughtExceptionHandler onDeath)
            throws IOException {
        return start(purpose, address, paths, https, limits(https), onDeath);
    }

    private static ConnectionLimits limits(Optional<HttpsSettings> https) {
        return https.isPresent() ? ConnectionLimits.tls() : ConnectionLimits.plain();
    }

    static HttpEndpoint start(
            Purpose purpose,
            InetSocketAddress address,
            Map<String, Supplier<HttpReply>> paths,
            Optional<HttpsSettings> https,
            ConnectionLimits limits,
            Thread.UncaughtExceptionHandler onDeath)
            throws IOException {
        if (address.isUnresolved()) {
            throw new UnknownHostException(refusal(purpose, address, "unknown host"));
        }
        try {
            return new HttpEndpoint(purpose, address, paths, https, limits, onDeath);
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
        return listener.port();
    }

    private HttpReply answer(RequestHead.Complete request) {
        Optional<Supplier<HttpReply>> found = Optional.ofNullable(paths.get(request.path()));
        if (found.isEmpty()) {
            return HttpReply.of(
                    NOT_FOUND,
                    "not found; available: "
                            + String.join(", ", paths.keySet().stream().sorted().toList()));
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return HttpReply.of(METHOD_NOT_ALLOWED, "only GET and HEAD are allowed");
        }
        Optional<HttpReply> refusal = access.flatMap(it -> it.refusal(request.authorization(), request.path()));
        if (refusal.isPresent()) {
            return refusal.get();
        }
        try {
            return found.get().get();
        } catch (RuntimeException e) {
            LOG.error("Failed to serve {}", request.path(), e);
            return HttpReply.of(SERVER_ERROR, "failed; see the operator's log");
        }
    }

    /** Stops the server at once, without waiting for requests in progress. */
    @Override
    public void close() {
        listener.close();
    }
}
