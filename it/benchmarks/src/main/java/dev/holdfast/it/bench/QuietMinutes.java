package dev.holdfast.it.bench;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.bench.measure.ApiCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.awaitility.core.ConditionTimeoutException;

/** Measurement of the operator's requests during minutes in which no object changes. */
final class QuietMinutes {
    /**
     * How long the operator must have sent no request before the quiet minutes start. It is more than a minute, because
     * the operator may write a Kubernetes event up to a minute late.
     */
    private static final Duration SETTLED = Duration.ofSeconds(70);

    private static final Duration LONGEST_SETTLING = Duration.ofMinutes(5);

    private QuietMinutes() {}

    /** The period in which no object changed; the requests that the operator sent in it are counted. */
    record Minutes(Instant from, Instant to) {}

    /** Waits until the operator has reported all earlier changes, then for the given minutes. */
    static Minutes pass(BenchEnvironment environment, double minutes) throws InterruptedException {
        settle(environment, Set.of());
        Instant from = environment.clock().instant();
        environment.stayQuiet(minutes);
        return new Minutes(from, environment.clock().instant());
    }

    /**
     * Waits until the operator has sent no requests for the time {@link #SETTLED}. Renewals of its lease do not count.
     * Gives up after five minutes, and prints that.
     *
     * @param others the kinds of requests that do not count either, such as {@code update configmaps}
     */
    static void settle(BenchEnvironment environment, Set<String> others) {
        environment.progress().say("waiting until the operator has reported all changes");
        String user = environment.chart().user();
        Instant begun = environment.clock().instant();
        try {
            await().atMost(LONGEST_SETTLING).pollInterval(Duration.ofSeconds(1)).until(() -> {
                Instant now = environment.clock().instant();
                Instant from = now.minus(SETTLED);
                return !begun.isAfter(from)
                        && others.containsAll(ApiCalls.of(environment.trail().records(), user, from, now)
                                .beyondRenewals()
                                .keySet());
            });
        } catch (ConditionTimeoutException _) {
            environment.progress().say("the operator still sends requests");
        }
    }

    /** {@return the requests of the operator during the minutes; its process must have ended} */
    static ApiCalls calls(BenchEnvironment environment, Minutes minutes) throws InterruptedException {
        ApiCalls calls = environment.calls(environment.chart().user(), minutes.from(), minutes.to());
        if (calls.requests().getOrDefault("update leases", 0) == 0) {
            throw new BenchException("the audit log shows no renewal of the lease in the quiet minutes");
        }
        return calls;
    }
}
