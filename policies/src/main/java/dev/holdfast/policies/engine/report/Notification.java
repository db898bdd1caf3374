package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Outcome;
import java.time.Instant;
import java.util.Optional;

/** Something worth telling: each becomes events, a log line and metrics. */
public sealed interface Notification {
    /** {@return the violation it is about, as it stands at that moment} */
    ViolationReport violation();

    /** {@return the pod to report it on: the victim of an eviction, otherwise the rule owner} */
    default BoundPod subject() {
        return violation().owner();
    }

    /** An occurrence of one eviction, from the request to the end of the move. */
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

    /** A rule holds again, its pod is gone, or nobody asks for it any more. */
    record Ended(ViolationReport violation, End how) implements Notification {}

    /**
     * An annotation of the pod, of what made it or of its namespace cannot be read, and is as good as absent.
     *
     * @param problem names it, what is allowed, and whose it is
     */
    record AnnotationIgnored(ViolationReport violation, String problem) implements Notification {}

    /** A due violation is held, for another reason than before. */
    record Held(ViolationReport violation, Hold hold) implements Notification {}

    /** Forgiveness has passed in an audited policy, and Enforce would evict now. */
    record WouldEvict(ViolationReport violation, Optional<String> target) implements Notification {}

    /**
     * The dry run of an eviction has passed, and now it is asked for.
     *
     * @param target a node that would take the replacement; absent where the policy evicts without one
     */
    record Evicting(ViolationReport violation, String planId, Optional<String> target) implements OfEviction {}

    /** An eviction was answered, or its dry run refused. */
    record Answered(ViolationReport violation, String planId, EvictionAnswer answer) implements OfEviction {}

    /** A move came to its end; the violation is the one that led to it. */
    record Moved(ViolationReport violation, String planId, Outcome outcome, Optional<String> toNode, Instant evictedAt)
            implements OfEviction {}

    /** How a violation ended. */
    enum End {
        HEALED("healed"),
        EVICTED("evicted"),
        /** Somebody else deleted the pod, or it finished. */
        POD_GONE("deleted"),
        /** No policy asks for the rule any more. */
        NOT_ASKED("excepted"),
        /** Nobody can tell any more. */
        UNDETERMINED("undetermined");

        private final String label;

        End(String label) {
            this.label = label;
        }

        /** {@return the end as metrics name it} */
        public String label() {
            return label;
        }
    }
}
