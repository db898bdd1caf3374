package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import java.time.Duration;

/** The decision whether to write a policy's status now. */
sealed interface StatusDecision {
    /** Do nothing: the status is up to date, or another replica writes it. */
    record Leave() implements StatusDecision {}

    /** Decide again after this time, when the status may be written. */
    record Later(Duration delay) implements StatusDecision {}

    /** Write this status. */
    record Write(PolicyStatus status) implements StatusDecision {}
}
