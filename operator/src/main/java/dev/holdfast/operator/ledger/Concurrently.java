package dev.holdfast.operator.ledger;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Sends several requests at the same time. If the API server takes 3 s for each of six, their answers are there after 3
 * s instead of 18.
 */
final class Concurrently {
    private Concurrently() {}

    /**
     * {@return the result of the request for each value, in the order of the values} Waits for all results.
     *
     * @throws IllegalStateException if this thread is interrupted, or a request ends with an exception
     */
    static <T, R> List<R> map(Stream<T> values, Function<T, R> request) {
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("ledger request ", 0).factory())) {
            return threads
                    .invokeAll(values.<Callable<R>>map(value -> () -> request.apply(value))
                            .toList())
                    .stream()
                    .map(Concurrently::result)
                    .toList();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the API server", e);
        }
    }

    private static <R> R result(Future<R> done) {
        try {
            return done.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("a request for the ledger failed", e);
        }
    }
}
