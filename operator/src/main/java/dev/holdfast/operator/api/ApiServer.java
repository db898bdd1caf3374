package dev.holdfast.operator.api;

import java.io.UncheckedIOException;
import java.time.Duration;

/** Where answers come from as streams of bytes. */
public interface ApiServer {
    /**
     * {@return the body of the answer}
     *
     * @param path with the query
     * @param accept the form of the answer
     * @param timeout until the answer begins
     * @param patience how long nothing of the body may come
     * @throws ApiRefusal with the status of any other answer than 2xx
     * @throws UncheckedIOException when there is no answer
     */
    StreamedResponse get(String path, String accept, Duration timeout, Duration patience) throws InterruptedException;
}
