package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.conduct.DisruptionControls;
import dev.holdfast.policies.plan.conduct.Pause;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An input of the engine: a change that the operator observed, or the answer to an {@link Effect}. */
public sealed interface Event {
    /** An event from the watch of one view, which proves that the watch is alive. */
    sealed interface FromView extends Event {
        /** {@return the view that delivered the event} */
        View view();
    }

    /** A cluster object changed. */
    record FactChanged(ClusterEvent fact) implements FromView {
        @Override
        public View view() {
            return View.of(fact);
        }
    }

    /**
     * A valid policy was created or edited.
     *
     * @param disruptionControls its restrictions on moves
     */
    record PolicyChanged(Policy policy, DisruptionControls disruptionControls) implements FromView {
        /** A policy that allows moves at any time and has no limits of its own. */
        public PolicyChanged(Policy policy) {
            this(policy, DisruptionControls.plain());
        }

        @Override
        public View view() {
            return View.POLICIES;
        }
    }

    /**
     * The annotation of a policy acknowledges backlogs.
     *
     * @param ids all ids in the annotation
     */
    record PolicyAcknowledged(PolicyId policy, Set<String> ids) implements FromView {
        public PolicyAcknowledged {
            ids = Set.copyOf(ids);
        }

        @Override
        public View view() {
            return View.POLICIES;
        }
    }

    /** A policy is gone. */
    record PolicyRemoved(PolicyId policy) implements FromView {
        @Override
        public View view() {
            return View.POLICIES;
        }
    }

    /** A pause was created or edited. An unreadable pause is a pause of everything. */
    record PauseChanged(Pause pause) implements FromView {
        @Override
        public View view() {
            return View.PAUSES;
        }
    }

    /** A pause is gone. */
    record PauseRemoved(String pause) implements FromView {
        @Override
        public View view() {
            return View.PAUSES;
        }
    }

    /** All objects of the view have been delivered; their changes follow. */
    record ViewSynced(View view) implements FromView {}

    /**
     * Changes of the view may be missed from now on.
     *
     * @param why the reason as text, for the message of the hold
     * @param lastHeard when the view was last known to be complete: changes since then may be missing; {@link #NEVER}
     *     if the API server went back in time
     */
    record ViewLost(View view, String why, Instant lastHeard) implements Event {
        /** An instant before every event. */
        public static final Instant NEVER = Instant.EPOCH;

        /** {@return whether the API server went back in time, for example because a backup was restored} */
        public boolean ofAnotherPast() {
            return lastHeard.equals(NEVER);
        }
    }

    /** This replica became the leader, and may evict from now on. */
    record LeadershipGained() implements Event {}

    /** This replica is no longer the leader, and must not evict any more. */
    record LeadershipLost(String why) implements Event {}

    /**
     * No policy exceeds this mode from now on.
     *
     * @param why the reason as text: the setting, or the missing permission
     */
    record ModeCapped(Mode ceiling, String why) implements Event {}

    /** Time passed; sent when the instant of a {@link Effect.WakeAt} has come. */
    record TimePassed() implements Event {}

    /**
     * The operator is idle: compare some verdicts of the index with those of {@code evaluate}.
     *
     * @param most the maximum number of pods; no further pod is checked once this many verdicts are compared
     */
    record TimeToCompare(int most) implements Event {}

    /**
     * The consistent reads requested by {@link Effect.Confirm} succeeded.
     *
     * @param pod absent if no pod has the name
     * @param node absent if the node does not exist
     * @param partners the requested further pods that still exist
     */
    record Confirmed(String planId, Optional<Pod> pod, Optional<Node> node, List<Pod> partners) implements Event {
        public Confirmed {
            partners = List.copyOf(partners);
        }
    }

    /** The consistent reads failed. */
    record ConfirmFailed(String planId, Reason reason, String message) implements Event {}

    /** The read requested by {@link Effect.ReadClaim} succeeded or failed. */
    record ClaimRead(NamespacedName claim, ClaimedVolume volume) implements Event {}

    /**
     * The dry run of an eviction was answered.
     *
     * @param answer Evicted if the real request would have succeeded at that instant
     */
    record Rehearsed(String planId, EvictionAnswer answer) implements Event {}

    /** The eviction request was answered, or could not be sent. */
    record Answered(String planId, EvictionAnswer answer) implements Event {}
}
