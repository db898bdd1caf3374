package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.EvictionRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Everything the engine wants done. */
public sealed interface Effect {
    /**
     * Read pod, node and partners from the API server, consistently, and come back with {@link Event.Confirmed} or
     * {@link Event.ConfirmFailed}.
     *
     * @param partners the pods that break the rule by being there, at most five
     */
    record Confirm(String planId, NamespacedName pod, String node, List<NamespacedName> partners) implements Effect {
        public Confirm {
            partners = List.copyOf(partners);
        }
    }

    /** Read a claim and the volume behind it, and come back with {@link Event.ClaimRead}, whatever comes of it. */
    record ReadClaim(NamespacedName claim) implements Effect {}

    /** Ask for the eviction as a dry run, and come back with {@link Event.Rehearsed}. */
    record Rehearse(EvictionRequest request) implements Effect {}

    /** Ask for the eviction for real, and come back with {@link Event.Answered}. */
    record Evict(EvictionRequest request) implements Effect {}

    /** Send {@link Event.TimePassed} at this instant, if none of another effect comes before it. */
    record WakeAt(Instant instant) implements Effect {}

    /** Tell people and machines what happened. */
    record Tell(Notification notification) implements Effect {}

    /** Publish the present state of a policy. */
    record Publish(PolicyReport report) implements Effect {}

    /** A brake was put on or released. */
    record Braked(BrakeReport report) implements Effect {}

    /**
     * Verdicts were compared with what {@code evaluate} says.
     *
     * @param verdicts how many
     * @param difference the first one ever found, which is a bug and has stopped all enforcement; absent so far
     */
    record Compared(int verdicts, Optional<String> difference) implements Effect {}
}
