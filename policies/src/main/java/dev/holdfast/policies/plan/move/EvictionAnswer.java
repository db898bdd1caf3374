package dev.holdfast.policies.plan.move;

import java.time.Duration;
import java.util.Optional;

/**
 * The result of one eviction request, whether it was a dry run or real. Every response of the Eviction API maps to one
 * of these.
 */
public sealed interface EvictionAnswer {
    /** {@return the message of the API server; empty for results without one} */
    default String message() {
        return "";
    }

    /** The pod is deleted or terminating, or a dry run shows that it would be (201 with a Success body). */
    record Evicted() implements EvictionAnswer {}

    /** The pod, or its namespace, does not exist any more (404). */
    record Gone() implements EvictionAnswer {}

    /** The pod has changed since it was read: uid or resourceVersion differ (409). */
    record Conflict(String message) implements EvictionAnswer {}

    /** A PodDisruptionBudget allows no disruption (429 with cause DisruptionBudget). */
    record OutOfBudget(String message, Optional<Duration> retryAfter) implements EvictionAnswer {}

    /** More than one PodDisruptionBudget selects the pod (500, or 201 with a Failure body). */
    record SeveralBudgets(String message) implements EvictionAnswer {}

    /** The API server asks for fewer requests (429 without cause DisruptionBudget). */
    record Throttled(Optional<Duration> retryAfter) implements EvictionAnswer {}

    /** A webhook or an admission policy refused the eviction. */
    record RefusedByAdmission(String message) implements EvictionAnswer {}

    /** A webhook does not support dry run, so no real request was sent. */
    record DryRunUnsupported(String message) implements EvictionAnswer {}

    /** The operator has no permission to evict (403). */
    record Forbidden(String message) implements EvictionAnswer {}

    /** The namespace is being deleted, and the pod with it (403 with cause NamespaceTerminating). */
    record NamespaceTerminating() implements EvictionAnswer {}

    /** The request failed and evicted nothing: it was a dry run, or the response rules out an eviction. */
    record Failed(String message) implements EvictionAnswer {}

    /**
     * The real request got no response, or an inconclusive one (timeout, 500 and others). The API server may have
     * carried out the request.
     */
    record Unknown(String message) implements EvictionAnswer {}

    /** No real request was sent, because this replica of the operator stops or may not be the leader any more. */
    record NotSent(String message) implements EvictionAnswer {}
}
