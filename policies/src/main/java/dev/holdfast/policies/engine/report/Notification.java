package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something to report to users. Each notification becomes Kubernetes events, a log line and metrics. */
public sealed interface Notification {
    /** {@return the violation that the notification is about, in its state when the notification was created} */
    ViolationReport violation();

    /** {@return the pod to which the Kubernetes event refers: the victim of an eviction, otherwise the rule owner} */
    default BoundPod subject() {
        return violation().owner();
    }

    /** A notification about one eviction, from the request to the end of the move. */
    sealed interface OfEviction extends Notification {
        /** {@return the plan ID of the eviction, the same in requests, events and logs} */
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
     * A Holdfast annotation of the pod, its owner or its namespace is malformed and therefore ignored.
     *
     * @param problem text that names the annotation, the allowed values and the object that has it
     */
    record AnnotationIgnored(ViolationReport violation, String problem) implements Notification {}

    /** A due violation is held, for the first time or for a different reason than before. */
    record Held(ViolationReport violation, Hold hold) implements Notification {}

    /**
     * A violation passed all checks in mode Audit. In mode Enforce, the victim would be evicted now.
     *
     * @param target a node that would take the replacement; absent if the policy lets the pod be evicted without such a
     *     node
     */
    record WouldEvict(ViolationReport violation, Optional<String> target) implements Notification {}

    /**
     * The dry run of an eviction has succeeded, and the eviction is requested now.
     *
     * @param target a node that would take the replacement; absent if the policy lets the pod be evicted without such a
     *     node
     */
    record Evicting(ViolationReport violation, String planId, Optional<String> target) implements OfEviction {}

    /** The API server answered an eviction request, or refused its dry run. */
    record Answered(ViolationReport violation, String planId, EvictionAnswer answer) implements OfEviction {}

    /**
     * A move ended.
     *
     * @param violation the violation for which the pod was evicted
     * @param toNode the node of the replacement; absent if no replacement was bound to a node
     * @param broken the names of some rules that the replacement breaks, if the move was no success because of them
     */
    record Moved(
            ViolationReport violation,
            String planId,
            Outcome outcome,
            Optional<String> toNode,
            Instant evictedAt,
            List<String> broken)
            implements OfEviction {
        public Moved {
            broken = List.copyOf(broken);
        }

        /** A move that ended without a broken rule to name. */
        public Moved(
                ViolationReport violation, String planId, Outcome outcome, Optional<String> toNode, Instant evictedAt) {
            this(violation, planId, outcome, toNode, evictedAt, List.of());
        }
    }

    /** How a violation ended. */
    enum End {
        HEALED("healed"),
        EVICTED("evicted"),
        /** Another actor deleted the pod, or the pod finished. */
        POD_GONE("deleted"),
        /** No policy requests the rule any more. */
        NOT_REQUESTED("excepted"),
        /** The rule can no longer be evaluated. */
        UNDETERMINED("undetermined");

        private final String label;

        End(String label) {
            this.label = label;
        }

        /** {@return the value of the metric label that says how a violation ended} */
        public String label() {
            return label;
        }
    }
}
