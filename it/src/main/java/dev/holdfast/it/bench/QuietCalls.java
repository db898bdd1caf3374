package dev.holdfast.it.bench;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.bench.measure.ApiCalls;
import java.time.Duration;
import java.time.Instant;

/** Counts the requests of a process that has ended. */
final class QuietCalls {
    /** Until the API server has written down the watches that ended with the process. */
    private static final Duration WRITING = Duration.ofSeconds(2);

    private QuietCalls() {}

    static ApiCalls of(Site site, String user, Instant from, Instant to) {
        await().pollDelay(WRITING).until(() -> true);
        return ApiCalls.of(site.trail().records(), user, from, to);
    }
}
