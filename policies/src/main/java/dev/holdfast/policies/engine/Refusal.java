package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.EvictionAnswer;
import dev.holdfast.policies.plan.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A hold that came from outside: the API server's answer to a request, or a read that failed.
 *
 * @param times how often in a row it was refused, at least 1; waits double with it
 */
record Refusal(Hold hold, int times) {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SHORT = Duration.ofSeconds(10);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Doublings beyond this one pass every maximum anyway. */
    private static final int MOST_DOUBLINGS = 12;

    /** {@return the hold an answer means; empty where there is nothing left to evict, or it was evicted} */
    static Optional<Refusal> of(EvictionAnswer answer, int times, Instant now) {
        return switch (answer) {
            case EvictionAnswer.Evicted _, EvictionAnswer.Gone _, EvictionAnswer.NamespaceTerminating _ ->
                Optional.empty();
            case EvictionAnswer.OutOfBudget(String message, Optional<Duration> after) ->
                hold(Reason.DISRUPTION_BUDGET, message, after.orElse(backoff(SHORT, LONG, times)), times, now);
            case EvictionAnswer.SeveralBudgets(String message) ->
                hold(Reason.SEVERAL_BUDGETS, message, LONG, times, now);
            case EvictionAnswer.Throttled(Optional<Duration> after) ->
                hold(
                        Reason.THROTTLED,
                        "the API server asks for fewer requests",
                        after.orElse(backoff(SECOND, MINUTE, times)),
                        times,
                        now);
            case EvictionAnswer.RefusedByAdmission(String message) ->
                hold(Reason.REFUSED_BY_ADMISSION, message, backoff(MINUTE, HOUR, times), times, now);
            case EvictionAnswer.DryRunUnsupported(String message) ->
                hold(Reason.DRY_RUN_UNSUPPORTED, message, backoff(MINUTE, HOUR, times), times, now);
            case EvictionAnswer.Forbidden(String message) -> hold(Reason.FORBIDDEN, message, MINUTE, times, now);
            case EvictionAnswer.Conflict(String message) -> hold(Reason.CONFLICT, message, SHORT, times, now);
            case EvictionAnswer.Failed(String message) ->
                hold(Reason.API_ERROR, message, backoff(SHORT, LONG, times), times, now);
            case EvictionAnswer.Unknown(String message) -> hold(Reason.OUTCOME_UNKNOWN, message, MINUTE, times, now);
            case EvictionAnswer.NotSent(String message) -> hold(Reason.NOT_LEADER, message, SECOND, times, now);
        };
    }

    /** {@return the hold for reads that failed or that the feeds have not reached} */
    static Refusal ofRead(Reason reason, String message, int times, Instant now) {
        return new Refusal(Hold.until(reason, message, now.plus(backoff(SECOND, MINUTE, times))), times);
    }

    private static Optional<Refusal> hold(Reason reason, String message, Duration wait, int times, Instant now) {
        return Optional.of(new Refusal(Hold.until(reason, message, now.plus(wait)), times));
    }

    private static Duration backoff(Duration first, Duration most, int times) {
        Duration wait = first.multipliedBy(1L << Math.min(times - 1, MOST_DOUBLINGS));
        return wait.compareTo(most) < 0 ? wait : most;
    }
}
