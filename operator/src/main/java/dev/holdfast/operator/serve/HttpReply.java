package dev.holdfast.operator.serve;

import dev.holdfast.operator.serve.http.RequestHead;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The reply to an HTTP request. The reply is closed when it is sent. */
public final class HttpReply implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;
    private static final String TEXT = "text/plain; charset=utf-8";

    /** How many bytes are written at once, before other connections have their turn. */
    private static final int PIECE = 16 << 10;

    private final int status;
    private final String contentType;
    private final byte[] body;
    private final Runnable sent;

    private HttpReply(int status, String contentType, byte[] body, Runnable sent) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
        this.sent = sent;
    }

    private static HttpReply of(int status, String contentType, String body) {
        return new HttpReply(status, contentType, body.getBytes(StandardCharsets.UTF_8), () -> {});
    }

    /** {@return status 200 with one line of text} */
    public static HttpReply ok(String line) {
        return of(OK, line);
    }

    /** {@return status 503 with text that names the problems, one per line} */
    public static HttpReply unavailable(String lines) {
        return of(UNAVAILABLE, lines);
    }

    /** {@return status 200 with metrics in the Prometheus text format; the bytes are not copied} */
    public static HttpReply metrics(byte[] scrape) {
        return new HttpReply(OK, "text/plain; version=0.0.4; charset=utf-8", scrape, () -> {});
    }

    /** {@return status 200 with these metrics} */
    static HttpReply metrics(String scrape) {
        return metrics(scrape.getBytes(StandardCharsets.UTF_8));
    }

    static HttpReply of(int status, String line) {
        return of(status, TEXT, line + "\n");
    }

    /** {@return a reply with the same bytes in memory, and with an action that runs when the reply is closed} */
    HttpReply shared(Runnable whenSent) {
        return new HttpReply(status, contentType, body, whenSent);
    }

    /** {@return the HTTP status code} */
    int status() {
        return status;
    }

    /** {@return the body as text} */
    public String body() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /**
     * Sends the reply.
     *
     * @param request the request; empty if it was refused, after which no further request is read
     */
    @SuppressWarnings("ThreadPriorityCheck") // Virtual threads have no time slices.
    void sendTo(OutputStream client, Optional<RequestHead.Complete> request) throws IOException {
        boolean keepsAlive = request.filter(RequestHead.Complete::keepsAlive).isPresent();
        client.write(head(keepsAlive ? "keep-alive" : "close").getBytes(StandardCharsets.ISO_8859_1));
        if (request.filter(it -> it.method().equals("HEAD")).isEmpty()) {
            for (int from = 0; from < body.length; from += PIECE) {
                client.write(body, from, Math.min(PIECE, body.length - from));
                Thread.yield();
            }
        }
        client.flush();
    }

    private String head(String connection) {
        String extra = switch (status) {
            case UNAUTHORIZED -> "WWW-Authenticate: Bearer\r\n";
            case METHOD_NOT_ALLOWED -> "Allow: GET, HEAD\r\n";
            default -> "";
        };
        // The reason phrase after the status is optional.
        return "HTTP/1.1 " + status + " \r\nContent-Type: " + contentType + "\r\nContent-Length: " + body.length
                + "\r\n" + extra + "Connection: " + connection + "\r\n\r\n";
    }

    /** Records that the reply is sent, or will not be. */
    @Override
    public void close() {
        sent.run();
    }
}
