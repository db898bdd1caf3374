package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import java.time.Duration;

/** What is to be done about a policy's status now. */
sealed interface StatusDecision {
    /** Nothing: it says what is so, or another replica writes it. */
    record Leave() implements StatusDecision {}

    /** Look again, since it may only be written then. */
    record Later(Duration delay) implements StatusDecision {}

    /** Write it. */
    record Write(PolicyStatus status) implements StatusDecision {}
}
