package dev.holdfast.operator.api;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Reads single objects with consistent reads: a GET without {@code resourceVersion} returns the newest state. The whole
 * read, from the request to the last byte, has a time limit.
 */
final class SingleObjectReader implements AutoCloseable {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final int NOT_FOUND = 404;

    /**
     * The valid names of pods, nodes and namespaces: DNS subdomains of RFC 1123. A name that does not match never gets
     * into a URL path.
     */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");

    /** Reads the body of a response. */
    @FunctionalInterface
    interface BodyReader<T> {
        /** {@return what the body contains} */
        T read(InputStream body) throws IOException;
    }

    private final StreamingRequests streamingRequests;
    private final Duration limit;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("object read ", 0).factory());

    /**
     * A reader that sends its requests through {@code streamingRequests}.
     *
     * @param streamingRequests closed together with the reader
     * @param limit the longest time for one object
     */
    SingleObjectReader(StreamingRequests streamingRequests, Duration limit) {
        this.streamingRequests = streamingRequests;
        this.limit = limit;
    }

    /**
     * {@return the name, for use as a segment of a URL path}
     *
     * @throws KubernetesClientException if the name is not a valid object name
     */
    static String segment(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new KubernetesClientException("\"" + name + "\" is not a valid object name");
        }
        return name;
    }

    /**
     * Reads the object or list at an API path, and returns it; empty if it does not exist.
     *
     * @param reader decodes the response, on another thread
     * @throws ApiRefusal if the API server answers with another error than 404
     * @throws RuntimeException if there is no response, or it cannot be read, or it is incomplete at the time limit
     */
    <T> Optional<T> get(String path, BodyReader<T> reader) throws InterruptedException {
        Future<Optional<T>> got = threads.submit(() -> read(path, reader));
        try {
            return got.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw new UncheckedIOException(new IOException("no complete answer within " + limit.toMillis() + " ms"));
        } catch (ExecutionException e) {
            throw failure(e);
        } finally {
            got.cancel(true);
        }
    }

    private <T> Optional<T> read(String path, BodyReader<T> reader) throws InterruptedException {
        try (StreamedResponse body = streamingRequests.get(path, PROTOBUF, limit, limit)) {
            return Optional.of(reader.read(body));
        } catch (ApiRefusal apiRefusal) {
            if (apiRefusal.getCode() == NOT_FOUND && ApiErrorText.isOfServer(apiRefusal)) {
                return Optional.empty();
            }
            throw apiRefusal;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RuntimeException failure(ExecutionException e) {
        return switch (e.getCause()) {
            case RuntimeException failure -> failure;
            case Error error -> throw error;
            case InterruptedException _ -> new UncheckedIOException(new InterruptedIOException("the operator stops"));
            case null, default -> new IllegalStateException(e);
        };
    }

    /** Ends all requests in progress. */
    @Override
    public void close() {
        threads.shutdownNow();
        streamingRequests.close();
    }
}
