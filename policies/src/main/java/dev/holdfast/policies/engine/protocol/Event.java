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

/** Everything that happens to the engine. */
public sealed interface Event {
    /** News from the feed of one view, which proves that the feed is alive. */
    sealed interface FromView extends Event {
        /** {@return the view that the news is from} */
        View view();
    }

    /** A fact of the cluster changed. */
    record FactChanged(ClusterEvent fact) implements FromView {
        @Override
        public View view() {
            return View.of(fact);
        }
    }

    /**
     * A valid policy is new or edited.
     *
     * @param disruptionControls how it lets pods be moved
     */
    record PolicyChanged(Policy policy, DisruptionControls disruptionControls) implements FromView {
        /** A policy that lets pods be moved at any time and has no limits of its own. */
        public PolicyChanged(Policy policy) {
            this(policy, DisruptionControls.plain());
        }

        @Override
        public View view() {
            return View.POLICIES;
        }
    }

    /**
     * Somebody says by an annotation of a policy that something is meant.
     *
     * @param ids all that the annotation names
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

    /** A pause is new or edited; what cannot be read is a pause of everything. */
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

    /** All objects of the view have been delivered, and changes follow. */
    record ViewSynced(View view) implements FromView {}

    /**
     * Changes of the view may be missed from now on.
     *
     * @param why in words, for the hold that follows
     * @param lastHeard when the view was last known to be complete: changes since then may be missed already;
     *     {@link #NEVER} if all that was ever heard may never have been
     */
    record ViewLost(View view, String why, Instant lastHeard) implements Event {
        /** Before anything was heard. */
        public static final Instant NEVER = Instant.EPOCH;

        /** {@return whether the API server has another past than the one that was told of} */
        public boolean ofAnotherPast() {
            return lastHeard.equals(NEVER);
        }
    }

    /** This replica may act from now on. */
    record LeadershipGained() implements Event {}

    /** This replica may not act any more. */
    record LeadershipLost(String why) implements Event {}

    /**
     * No policy goes further than this from now on.
     *
     * @param why in words: the setting, or the missing right
     */
    record ModeCapped(Mode ceiling, String why) implements Event {}

    /** Time passed; sent when the instant of a {@link Effect.WakeAt} has come. */
    record TimePassed() implements Event {}

    /**
     * There is time to compare some verdicts with what {@code evaluate} says.
     *
     * @param most how many, and on how many pods, at the most
     */
    record TimeToCompare(int most) implements Event {}

    /**
     * The consistent reads asked for by {@link Effect.Confirm} have been made.
     *
     * @param pod absent when no pod stands under the name
     * @param node absent when there is no such node
     * @param partners those of the partners that still exist
     */
    record Confirmed(String planId, Optional<Pod> pod, Optional<Node> node, List<Pod> partners) implements Event {
        public Confirmed {
            partners = List.copyOf(partners);
        }
    }

    /** The consistent reads could not be made. */
    record ConfirmFailed(String planId, Reason reason, String message) implements Event {}

    /** What {@link Effect.ReadClaim} asked for has been read, or could not be. */
    record ClaimRead(NamespacedName claim, ClaimedVolume volume) implements Event {}

    /**
     * The dry run of an eviction was answered.
     *
     * @param answer Evicted where the real request would have been granted at that moment
     */
    record Rehearsed(String planId, EvictionAnswer answer) implements Event {}

    /** The real request was answered. */
    record Answered(String planId, EvictionAnswer answer) implements Event {}
}
