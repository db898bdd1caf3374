package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An input of the engine: a change that the operator observed, or the answer to an {@link Effect}. */
public sealed interface Event {
    /** An event that the watch of one {@link View} delivered. Such an event proves that the watch is alive. */
    sealed interface FromView extends Event {
        /** {@return the view that delivered the event} */
        View view();
    }

    /** A policy was created, edited, acknowledged or removed. */
    sealed interface OfPolicy extends FromView {
        @Override
        default View view() {
            return View.POLICIES;
        }
    }

    /** An object in the cluster changed, for example a pod or a node. */
    record ObjectChanged(ClusterEvent change) implements FromView {
        @Override
        public View view() {
            return View.of(change);
        }
    }

    /**
     * A valid policy was created or edited.
     *
     * @param disruptionControls when the policy may evict pods, how many, and which pods it leaves alone
     * @param uid the UID of the object: a policy that was deleted and created again is another one
     * @param skips whether the engine did not get the generations before this one, because this one took their place in
     *     the queue. The earlier generations may have allowed less, so each forgiveness of the policy restarts
     */
    record PolicyChanged(Policy policy, DisruptionControls disruptionControls, String uid, boolean skips)
            implements OfPolicy {
        /** Creates the event for a generation that skips no earlier one. */
        public PolicyChanged(Policy policy, DisruptionControls disruptionControls, String uid) {
            this(policy, disruptionControls, uid, false);
        }

        /** Creates the event for a policy whose name is its UID. */
        public PolicyChanged(Policy policy, DisruptionControls disruptionControls) {
            this(policy, disruptionControls, policy.id().toString());
        }

        /**
         * Creates the event for a policy whose name is its UID, that may evict at any time and has no limits of its
         * own.
         */
        public PolicyChanged(Policy policy) {
            this(policy, DisruptionControls.plain());
        }

        /** {@return the same event, for a generation that skips earlier ones} */
        public PolicyChanged skipping() {
            return new PolicyChanged(policy, disruptionControls, uid, true);
        }
    }

    /**
     * The acknowledgement annotation of a policy changed. Users set this annotation to acknowledge backlogs of the
     * policy.
     *
     * @param ids all ids in the annotation; empty if it was removed
     */
    record PolicyAcknowledged(PolicyId policy, Set<String> ids) implements OfPolicy {
        public PolicyAcknowledged {
            ids = Set.copyOf(ids);
        }
    }

    /** A policy is gone. */
    record PolicyRemoved(PolicyId policy) implements OfPolicy {}

    /** An EnforcementPause was created or edited. An EnforcementPause that cannot be parsed pauses everything. */
    record PauseChanged(Pause pause) implements FromView {
        @Override
        public View view() {
            return View.PAUSES;
        }
    }

    /**
     * An EnforcementPause is gone.
     *
     * @param pause the name of the pause
     */
    record PauseRemoved(String pause) implements FromView {
        @Override
        public View view() {
            return View.PAUSES;
        }
    }

    /** All objects of a view have been delivered; events for their changes follow. */
    record ViewSynced(View view) implements FromView {}

    /**
     * Changes of the view's objects may be missed from now on.
     *
     * @param why the reason as text, for the message of the hold
     * @param lastHeard when the view was last known to be complete: changes since then may be missing; {@link #NEVER}
     *     if the API server went back in time, for example because a backup was restored
     */
    record ViewLost(View view, String why, Instant lastHeard) implements Event {
        /** The value of {@code lastHeard} after the API server went back in time: an instant before every event. */
        public static final Instant NEVER = Instant.EPOCH;

        /** {@return whether the API server went back in time, for example because a backup was restored} */
        public boolean ofAnotherPast() {
            return lastHeard.equals(NEVER);
        }
    }

    /** This replica became the leader, and may evict from now on. */
    record LeadershipGained() implements Event {}

    /** This replica leads again after {@link LeadershipLost}, and no other replica led in between. */
    record LeadershipRegained() implements Event {}

    /**
     * This replica is no longer the leader, and must not evict any more.
     *
     * @param why the reason as text, for the message of the hold
     * @param since when its lead ended; earlier than this event if the replica stalled and noticed the end late
     */
    record LeadershipLost(String why, Instant since) implements Event {}

    /**
     * The mode ceiling changed: from now on, no policy acts in a stronger mode than the new ceiling.
     *
     * @param why the reason as text: the setting, or the missing permission
     * @param known whether the permissions were checked; if not, the ceiling is a precaution until they are
     */
    record ModeCapped(Mode ceiling, String why, boolean known) implements Event {
        /** Creates the event for permissions that were checked. */
        public ModeCapped(Mode ceiling, String why) {
            this(ceiling, why, true);
        }
    }

    /**
     * The wall clock of this machine was compared with the API server's clock or has changed relative to the engine's
     * clock. Before the first such event, the wall clock is not trusted.
     */
    record WallClockRead(WallClock wallClock) implements Event {}

    /** Time passed; sent when the instant of an {@link Effect.WakeAt} has come. */
    record TimePassed() implements Event {}

    /**
     * Time passed in which nothing in the cluster changed, as only a simulation can know. So a search for a node that
     * failed before would also have failed meanwhile.
     */
    record NothingChanged() implements Event {}

    /**
     * The operator is idle: compare some verdicts of the incremental index with those of the reference evaluators.
     *
     * @param most the limit: stop after this many pods, or after the pod with which this many verdicts are compared
     */
    record TimeToCompare(int most) implements Event {}

    /**
     * The reads requested by {@link Effect.Confirm} succeeded.
     *
     * @param pod the pod that has the victim's name now; absent if there is none
     * @param node the victim's node; absent if it does not exist
     * @param partners the requested further pods that still exist
     * @param counted the requested counted pods; none if none were requested
     */
    record Confirmed(
            String planId, Optional<Pod> pod, Optional<Node> node, List<Pod> partners, Optional<CountedPods> counted)
            implements Event {
        public Confirmed {
            partners = List.copyOf(partners);
        }

        /** The result of reads without counted pods. */
        public Confirmed(String planId, Optional<Pod> pod, Optional<Node> node, List<Pod> partners) {
            this(planId, pod, node, partners, Optional.empty());
        }
    }

    /**
     * A consistent list of the pods that a rule counts, all of the same moment.
     *
     * @param pods at most {@link Effect.Counted#MOST}, in the order of the API server
     * @param resourceVersion the version of the list: later changes are not in it
     * @param complete whether there are no more
     */
    record CountedPods(List<Pod> pods, long resourceVersion, boolean complete) {
        public CountedPods {
            pods = List.copyOf(pods);
        }
    }

    /**
     * The reads requested by {@link Effect.Confirm} failed.
     *
     * @param reason the reason of the hold that follows
     * @param message what failed, for the message of the hold
     */
    record ConfirmFailed(String planId, Reason reason, String message) implements Event {}

    /** The read requested by {@link Effect.ReadClaim} succeeded or failed. */
    record ClaimRead(NamespacedName claim, ClaimedVolume volume) implements Event {}

    /**
     * The API server answered the dry run of an eviction.
     *
     * @param answer Evicted if the real request would have succeeded at that instant
     */
    record DryRunAnswered(String planId, EvictionAnswer answer) implements Event {}

    /** The API server answered an eviction request, or the request could not be sent. */
    record Answered(String planId, EvictionAnswer answer) implements Event {}

    /**
     * The read requested by {@link Effect.ReadLedger} succeeded or failed.
     *
     * @param steadyAhead how far the engine's clock is ahead of the API server's; negative if it is behind
     */
    record LedgerRead(long number, LedgerReading reading, Duration steadyAhead) implements Event {}

    /** The write requested by {@link Effect.WriteLedger} succeeded. */
    record LedgerWritten(long revision) implements Event {}

    /**
     * The write requested by {@link Effect.WriteLedger} failed.
     *
     * @param why the reason as text, for the message of the hold
     */
    record LedgerNotWritten(long revision, String why) implements Event {}

    /**
     * The write requested by {@link Effect.WriteClocks} is over.
     *
     * @param number the number of the write
     * @param failed the changed parts that could not be written
     */
    record ClocksWritten(long number, Set<Integer> failed) implements Event {
        public ClocksWritten {
            failed = Set.copyOf(failed);
        }
    }

    /** The process ends, and gets no further event: what is not written yet must be written now. */
    record Ending() implements Event {}
}
