package dev.holdfast.operator.serve;

/**
 * The reply to an HTTP request.
 *
 * @param status the HTTP status code
 * @param contentType the value of the header {@code Content-Type}
 * @param body the body as text
 */
public record HttpReply(int status, String contentType, String body) {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final String TEXT = "text/plain; charset=utf-8";

    /** {@return status 200 with one line of text} */
    public static HttpReply ok(String line) {
        return new HttpReply(OK, TEXT, line + "\n");
    }

    /** {@return status 503 with text that names the problems, one per line} */
    public static HttpReply unavailable(String lines) {
        return new HttpReply(UNAVAILABLE, TEXT, lines + "\n");
    }

    /** {@return status 200 with metrics in the Prometheus text format} */
    public static HttpReply metrics(String scrape) {
        return new HttpReply(OK, "text/plain; version=0.0.4; charset=utf-8", scrape);
    }

    static HttpReply of(int status, String line) {
        return new HttpReply(status, TEXT, line + "\n");
    }
}
