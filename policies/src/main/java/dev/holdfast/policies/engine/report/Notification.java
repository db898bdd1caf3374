package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Outcome;
import java.time.Instant;
import java.util.Optional;

/** An occurrence to report: each becomes events, a log line and metrics. */
public sealed interface Notification {
    /** {@return the violation as it is at that instant} */
    ViolationReport violation();

    /** {@return the pod to report it on: the victim of an eviction, otherwise the rule owner} */
    default BoundPod subject() {
        return violation().owner();
    }

    /** An occurrence in one eviction, from the request to the end of the move. */
    sealed interface OfEviction extends Notification {
        /** {@return the id of the plan that the eviction is part of} */
        String planId();

        @Override
        default BoundPod subject() {
            return violation().victim();
        }
    }

    /** A rule broke. */
    record Started(ViolationReport violation) implements Notification {}

    /** A violation ended: for example, the rule holds again or the pod is gone. */
    record Ended(ViolationReport violation, End how) implements Notification {}

    /**
     * An annotation of the pod, its owner or its namespace is malformed and therefore ignored.
     *
     * @param problem names the annotation, the allowed values and the object that has it
     */
    record AnnotationIgnored(ViolationReport violation, String problem) implements Notification {}

    /** A due violation is held for a different reason than before. */
    record Held(ViolationReport violation, Hold hold) implements Notification {}

    /** In an Audit policy, forgiveness has passed and Enforce would evict now. */
    record WouldEvict(ViolationReport violation, Optional<String> target) implements Notification {}

    /**
     * The dry run of an eviction has succeeded, and the eviction is requested now.
     *
     * @param target a node that would take the replacement; absent if the policy evicts without one
     */
    record Evicting(ViolationReport violation, String planId, Optional<String> target) implements OfEviction {}

    /** An eviction request was answered, or its dry run was refused. */
    record Answered(ViolationReport violation, String planId, EvictionAnswer answer) implements OfEviction {}

    /** A move ended. The violation is the one that led to it. */
    record Moved(ViolationReport violation, String planId, Outcome outcome, Optional<String> toNode, Instant evictedAt)
            implements OfEviction {}

    /** How a violation ended. */
    enum End {
        HEALED("healed"),
        EVICTED("evicted"),
        /** Another actor deleted the pod, or the pod finished. */
        POD_GONE("deleted"),
        /** No policy requests the rule any more. */
        NOT_ASKED("excepted"),
        /** The rule can no longer be evaluated. */
        UNDETERMINED("undetermined");

        private final String label;

        End(String label) {
            this.label = label;
        }

        /** {@return the label value in metrics} */
        public String label() {
            return label;
        }
    }
}
