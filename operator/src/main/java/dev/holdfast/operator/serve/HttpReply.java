package dev.holdfast.operator.serve;

/**
 * What is sent back for a path.
 *
 * @param status of HTTP
 */
public record HttpReply(int status, String contentType, String body) {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final String TEXT = "text/plain; charset=utf-8";

    /** {@return that all is well, with a line that says how} */
    public static HttpReply ok(String line) {
        return new HttpReply(OK, TEXT, line + "\n");
    }

    /** {@return that something is not well, with lines that say what} */
    public static HttpReply unavailable(String lines) {
        return new HttpReply(UNAVAILABLE, TEXT, lines + "\n");
    }

    /** {@return a scrape in Prometheus' text format} */
    public static HttpReply metrics(String scrape) {
        return new HttpReply(OK, "text/plain; version=0.0.4; charset=utf-8", scrape);
    }

    static HttpReply of(int status, String line) {
        return new HttpReply(status, TEXT, line + "\n");
    }
}
