package dev.holdfast.operator.api;

import java.io.UncheckedIOException;
import java.time.Duration;

/** An API server whose responses are read as byte streams. */
public interface ApiServer {
    /** {@return which API server it is, as a part of messages} */
    default String described() {
        return "the API server";
    }

    /**
     * Sends a GET request, and returns the body of the response, to be closed by the caller.
     *
     * @param path the path and query, for example {@code /api/v1/pods?limit=1}
     * @param accept the media type of the response
     * @param timeout the longest wait for the headers of the response
     * @param patience the longest wait for the next bytes of the body
     * @throws ApiRefusal if the status is not 2xx
     * @throws UncheckedIOException if no response arrives
     */
    StreamedResponse get(String path, String accept, Duration timeout, Duration patience) throws InterruptedException;
}
