package dev.holdfast.policies.plan.move;

import java.time.Duration;
import java.util.Optional;

/** What came of one eviction request, be it a dry run or real. Every answer of the Eviction API is one of these. */
public sealed interface EvictionAnswer {
    /** {@return what the API server said; empty where the kind of answer says it all} */
    default String message() {
        return "";
    }

    /** The pod is deleted or its deletion has begun, or would be but for the dry run (201 with a Success body). */
    record Evicted() implements EvictionAnswer {}

    /** The pod is no more, or another one stands under its name (404). */
    record Gone() implements EvictionAnswer {}

    /** The pod is not as it was read: uid or resourceVersion differ (409). */
    record Conflict(String message) implements EvictionAnswer {}

    /** A disruption budget has nothing left (429 with cause DisruptionBudget). */
    record OutOfBudget(String message, Optional<Duration> retryAfter) implements EvictionAnswer {}

    /** More than one budget selects the pod (500, or 201 with a Failure body). */
    record SeveralBudgets(String message) implements EvictionAnswer {}

    /** The API server asks for fewer requests (429 without that cause). */
    record Throttled(Optional<Duration> retryAfter) implements EvictionAnswer {}

    /** A webhook or admission policy said no. */
    record RefusedByAdmission(String message) implements EvictionAnswer {}

    /** A webhook in the way does not support dry run, so nothing real was sent. */
    record DryRunUnsupported(String message) implements EvictionAnswer {}

    /** The operator lacks the right (403). */
    record Forbidden(String message) implements EvictionAnswer {}

    /** The namespace is being deleted, and the pod with it (403 with cause NamespaceTerminating). */
    record NamespaceTerminating() implements EvictionAnswer {}

    /** The request failed and nothing was done: a dry run, or an answer that tells so. */
    record Failed(String message) implements EvictionAnswer {}

    /** No answer came to the real request, or none that tells: it may have been carried out (timeout, 500 and others). */
    record Unknown(String message) implements EvictionAnswer {}

    /** Nothing real was sent, since this replica may not act any more. */
    record NotSent(String message) implements EvictionAnswer {}
}
