package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A hold after a failed request: the API server refused an eviction, or a read failed.
 *
 * @param times the number of refusals in a row for this reason, at least 1; the wait doubles with each, up to a maximum
 * @param firm whether the API server itself named the retry time, so that no change lifts the hold earlier
 */
public record Refusal(Hold hold, int times, boolean firm) {
    private static final RetryBackOff SECONDS = new RetryBackOff(Duration.ofSeconds(1), Duration.ofMinutes(1));
    private static final RetryBackOff TENS = new RetryBackOff(Duration.ofSeconds(10), Duration.ofMinutes(5));
    private static final RetryBackOff MINUTES = new RetryBackOff(Duration.ofMinutes(1), Duration.ofHours(1));

    /**
     * {@return the hold after the API server refused an eviction}
     *
     * @param answer any answer except Evicted
     * @param before the last refusal for the same violation; absent if this is the first
     */
    public static Refusal of(EvictionAnswer answer, Optional<Refusal> before, Instant now) {
        return switch (answer) {
            case EvictionAnswer.Evicted _ -> throw new IllegalArgumentException("an eviction is no refusal");
            case EvictionAnswer.Gone _ ->
                of(
                        Reason.VIEW_BEHIND,
                        "the pod is gone, but the watch has not delivered the change yet",
                        SECONDS,
                        before,
                        now);
            case EvictionAnswer.NamespaceTerminating _ ->
                of(Reason.NAMESPACE_TERMINATING, "its namespace is being deleted", TENS, before, now);
            case EvictionAnswer.OutOfBudget(String message, var after) ->
                of(
                                Reason.DISRUPTION_BUDGET,
                                message,
                                after.map(RetryBackOff::always).orElse(TENS),
                                before,
                                now)
                        .firmIf(after.isPresent());
            case EvictionAnswer.SeveralBudgets(String message) ->
                of(Reason.SEVERAL_BUDGETS, message, RetryBackOff.always(TENS.most()), before, now);
            case EvictionAnswer.Throttled(var after) ->
                of(
                        Reason.THROTTLED,
                        "the API server throttles requests",
                        after.map(RetryBackOff::always).orElse(SECONDS),
                        before,
                        now);
            case EvictionAnswer.RefusedByAdmission(String message) ->
                of(Reason.REFUSED_BY_ADMISSION, message, MINUTES, before, now);
            case EvictionAnswer.DryRunUnsupported(String message) ->
                of(Reason.DRY_RUN_UNSUPPORTED, message, MINUTES, before, now);
            case EvictionAnswer.Forbidden(String message) ->
                of(Reason.FORBIDDEN, message, RetryBackOff.always(MINUTES.first()), before, now);
            case EvictionAnswer.Conflict(String message) ->
                of(Reason.CONFLICT, message, RetryBackOff.always(TENS.first()), before, now);
            case EvictionAnswer.Failed(String message) -> of(Reason.API_ERROR, message, TENS, before, now);
            case EvictionAnswer.Unknown(String message) ->
                of(Reason.OUTCOME_UNKNOWN, message, RetryBackOff.always(MINUTES.first()), before, now);
            case EvictionAnswer.NotSent(String message) ->
                of(Reason.NOT_LEADER, message, RetryBackOff.always(SECONDS.first()), before, now);
        };
    }

    /**
     * {@return the hold after a refusal because of a disruption budget that never allows an eviction, for example one
     * with {@code maxUnavailable: 0}}
     *
     * @param before the last refusal for the same violation; absent if this is the first
     */
    public static Refusal ofNever(
            DisruptionBudget budget, EvictionAnswer.OutOfBudget answer, Optional<Refusal> before, Instant now) {
        return of(
                        Reason.DISRUPTION_BUDGET_NEVER_ALLOWS,
                        neverAllows(budget),
                        answer.retryAfter().map(RetryBackOff::always).orElse(MINUTES),
                        before,
                        now)
                .firmIf(answer.retryAfter().isPresent());
    }

    /** {@return the message for a disruption budget that would allow no eviction even if all its pods were healthy} */
    public static String neverAllows(DisruptionBudget budget) {
        return budget.describeNever();
    }

    /**
     * {@return the hold after a read that failed, or whose result differs from the cache}
     *
     * @param before the last refusal for the same violation; absent if this is the first
     */
    public static Refusal ofRead(Reason reason, String message, Optional<Refusal> before, Instant now) {
        return of(reason, message, SECONDS, before, now);
    }

    private static Refusal of(
            Reason reason, String message, RetryBackOff retryBackOff, Optional<Refusal> before, Instant now) {
        int times = before.filter(last -> last.hold().reason() == reason)
                        .map(Refusal::times)
                        .orElse(0)
                + 1;
        return new Refusal(Hold.until(reason, message, now.plus(retryBackOff.before(times))), times, false);
    }

    /** {@return the same refusal, whose hold has another message for tenants} */
    public Refusal redacted(String forTenants) {
        return new Refusal(hold.redacted(forTenants), times, firm);
    }

    /** {@return the same refusal with a text in front of its message, which only readers of cluster policies see} */
    public Refusal saying(String before) {
        return new Refusal(hold.saying(before), times, firm);
    }

    private Refusal firmIf(boolean said) {
        return new Refusal(hold, times, said);
    }

    /**
     * How long to wait before the next attempt. The wait doubles with each refusal in a row, up to a maximum.
     *
     * @param first the wait after the first refusal
     * @param most the maximum wait
     */
    private record RetryBackOff(Duration first, Duration most) {
        /** The maximum number of doublings. After these, even the shortest first wait exceeds every maximum. */
        private static final int MOST_DOUBLINGS = 12;

        static RetryBackOff always(Duration wait) {
            return new RetryBackOff(wait, wait);
        }

        Duration before(int times) {
            Duration wait = first.multipliedBy(1L << Math.min(times - 1, MOST_DOUBLINGS));
            return wait.compareTo(most) < 0 ? wait : most;
        }
    }
}
