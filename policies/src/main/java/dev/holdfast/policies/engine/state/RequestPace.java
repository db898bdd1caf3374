package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The back-off of all requests after the API server throttled one of them: a 429 that names no disruption budget. The
 * wait doubles with each throttled request after a wait, up to a minute, and halves with each request that the API
 * server answered. The wait is never shorter than the {@code Retry-After} of the answer.
 *
 * <p>Up to half of the wait is added at random, so that not all clients of the API server come back together. The plan
 * ID of the throttled request seeds the random number, so that the same events lead to the same waits.
 */
public final class RequestPace {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofMinutes(1);
    private static final int MOST_DOUBLINGS = 6;

    private Instant until = Instant.MIN;

    /** The number of requests in a row that were throttled after a wait; each answered request subtracts one. */
    private int times;

    /**
     * Records that the API server throttled a request: all requests wait.
     *
     * @param planId the plan ID of the request
     * @param retryAfter the wait that the API server named; absent if it named none
     */
    public void throttled(String planId, Optional<Duration> retryAfter, Instant now) {
        // Requests that were sent together are throttled together, which is no reason to wait longer.
        if (!now.isBefore(until)) {
            times = Math.min(times + 1, MOST_DOUBLINGS + 1);
        }
        // Requests answered during the wait may have taken all back.
        times = Math.max(1, times);
        Duration doubled = FIRST.multipliedBy(1L << (times - 1));
        Duration own = doubled.compareTo(MOST) < 0 ? doubled : MOST;
        Duration wait = retryAfter.filter(asked -> asked.compareTo(own) > 0).orElse(own);
        long jitter = new SplittableRandom(planId.hashCode()).nextLong(wait.toMillis() / 2 + 1);
        Instant end = now.plus(wait).plusMillis(jitter);
        until = end.isAfter(until) ? end : until;
    }

    /** Records that the API server answered a request without throttling it. */
    public void answered() {
        times = Math.max(0, times - 1);
    }

    /** {@return the hold of all violations of enforced rules; empty while requests need not wait} */
    public Optional<Hold> against(Instant now) {
        return now.isBefore(until)
                ? Optional.of(Hold.until(
                        Reason.THROTTLED,
                        "the API server throttles requests, so no eviction is requested until " + Hold.second(until),
                        until))
                : Optional.empty();
    }
}
