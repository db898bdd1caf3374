package dev.holdfast.operator.api;

import dev.holdfast.operator.decode.protobuf.ObjectReader;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
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
 * Gets one object at a time, as it is in the newest state: so does the API server where no version is asked for. What it
 * takes from the asking to the last byte is limited, however slowly the bytes come.
 */
final class SingleObjectReader implements AutoCloseable {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final int NOT_FOUND = 404;

    /** What a pod, a node or a namespace may be called: a DNS subdomain of RFC 1123. Nothing else goes into a path. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");

    private final StreamingRequests streamingRequests;
    private final Duration limit;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * Requests of single objects.
     *
     * @param streamingRequests are closed with this
     * @param limit for each
     */
    SingleObjectReader(StreamingRequests streamingRequests, Duration limit) {
        this.streamingRequests = streamingRequests;
        this.limit = limit;
    }

    /**
     * {@return the name as a part of a path}
     *
     * @throws KubernetesClientException if nothing can be called so
     */
    static String segment(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new KubernetesClientException("no object can be called \"" + name + "\"");
        }
        return name;
    }

    /**
     * {@return the object; empty if there is none}
     *
     * @throws ApiRefusal with the status of any other answer
     * @throws RuntimeException when there is no answer, or none that can be read, or not all of it in time
     */
    <T> Optional<T> get(String path, ObjectReader<T> reader) throws InterruptedException {
        Future<Optional<T>> got = threads.submit(() -> read(path, reader));
        try {
            return got.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw new UncheckedIOException(new IOException("no whole answer in " + limit.toMillis() + " ms"));
        } catch (ExecutionException e) {
            throw failure(e);
        } finally {
            got.cancel(true);
        }
    }

    private <T> Optional<T> read(String path, ObjectReader<T> reader) throws InterruptedException {
        try (StreamedResponse body = streamingRequests.get(path, PROTOBUF, limit, limit)) {
            return Optional.of(reader.read(body));
        } catch (ApiRefusal apiRefusal) {
            if (apiRefusal.getCode() == NOT_FOUND && ApiErrors.isOfServer(apiRefusal)) {
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

    /** Ends all requests that are under way. */
    @Override
    public void close() {
        threads.shutdownNow();
        streamingRequests.close();
    }
}
