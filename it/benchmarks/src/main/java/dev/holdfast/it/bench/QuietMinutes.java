package dev.holdfast.it.bench;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.bench.measure.ApiCalls;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.core.ConditionTimeoutException;

/** Minutes in which nothing changes, and what the operator asks for in them. */
final class QuietMinutes {
    /** What the operator had to say of the changes is said by then: it sums up left-out events once a minute. */
    private static final Duration SETTLED = Duration.ofSeconds(70);

    private static final Duration LONGEST_SETTLING = Duration.ofMinutes(5);

    private QuietMinutes() {}

    /** From when to when. */
    record Minutes(Instant from, Instant to) {}

    /** Waits until nothing is left to be said of what was before, and then so many minutes. */
    static Minutes pass(BenchEnvironment environment, double minutes) throws InterruptedException {
        settle(environment);
        Instant from = environment.clock().instant();
        environment.stayQuiet(minutes);
        return new Minutes(from, environment.clock().instant());
    }

    /** The quiet minutes show it if it never is so. */
    private static void settle(BenchEnvironment environment) {
        environment.progress().say("waiting until nothing is left to be said of the changes");
        String user = environment.chart().user();
        Instant begun = environment.clock().instant();
        try {
            await().atMost(LONGEST_SETTLING).pollInterval(Duration.ofSeconds(1)).until(() -> {
                Instant now = environment.clock().instant();
                Instant from = now.minus(SETTLED);
                return !begun.isAfter(from)
                        && ApiCalls.of(environment.trail().records(), user, from, now)
                                .beyondRenewals()
                                .isEmpty();
            });
        } catch (ConditionTimeoutException _) {
            environment.progress().say("it does not fall quiet by itself");
        }
    }

    /** {@return what the operator, which must be gone by now, asked for in them} */
    static ApiCalls calls(BenchEnvironment environment, Minutes minutes) throws InterruptedException {
        ApiCalls calls = environment.calls(environment.chart().user(), minutes.from(), minutes.to());
        if (calls.requests().getOrDefault("update leases", 0) == 0) {
            throw new BenchException("the audit log shows no renewal of the lease in the quiet minutes");
        }
        return calls;
    }
}
