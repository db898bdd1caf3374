package dev.holdfast.operator.api;

import java.io.UncheckedIOException;
import java.time.Duration;

/** An API server whose answers are read as byte streams. */
public interface ApiServer {
    /**
     * {@return the body of the answer, to be closed by the caller}
     *
     * @param path with the query
     * @param accept the media type of the answer
     * @param timeout the longest wait for the headers of the answer
     * @param patience the longest wait for the next bytes of the body
     * @throws ApiRefusal if the status is not 2xx
     * @throws UncheckedIOException if there is no answer
     */
    StreamedResponse get(String path, String accept, Duration timeout, Duration patience) throws InterruptedException;
}
