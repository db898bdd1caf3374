package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import java.time.Duration;

/** The decision whether to write a policy's status now, later or not at all. */
sealed interface StatusDecision {
    /** Do nothing: the status is up to date, or another replica writes it. */
    record Leave() implements StatusDecision {}

    /** Do nothing now, and decide again after this delay. */
    record Later(Duration delay) implements StatusDecision {}

    /** Write this status. */
    record Write(PolicyStatus status) implements StatusDecision {}
}
