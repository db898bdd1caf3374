package dev.holdfast.policies.engine.eviction;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.planning.ConfirmingReads;
import dev.holdfast.policies.engine.planning.DisruptionBudgetHolds;
import dev.holdfast.policies.engine.planning.HoldRecorder;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.Refusal;
import dev.holdfast.policies.engine.state.RequestPace;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.plan.input.SubstituteVictim;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Move;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Handles moves that evicted no pod because a read or a request failed: retries each move, or drops it and holds its
 * violation.
 */
public final class RefusedEvictions {
    /**
     * After this number of conflicts, a request carries the pod's UID alone, because the pod may change all the time.
     */
    private static final int MOST_CONFLICTS = 3;

    private final LiveCluster cluster;
    private final ViolationBook book;
    private final Decisions decisions;
    private final MovesInFlight moves;
    private final DisruptionBudgetHolds budgets;
    private final ConfirmingReads reads;
    private final HoldRecorder holds;
    private final RequestPace requestPace;

    public RefusedEvictions(
            LiveCluster cluster,
            ViolationBook book,
            Decisions decisions,
            MovesInFlight moves,
            DisruptionBudgetHolds budgets,
            ConfirmingReads reads,
            HoldRecorder holds,
            RequestPace requestPace) {
        this.cluster = cluster;
        this.book = book;
        this.decisions = decisions;
        this.moves = moves;
        this.budgets = budgets;
        this.reads = reads;
        this.holds = holds;
        this.requestPace = requestPace;
    }

    /**
     * Sets the pace of further requests: they wait if the API server throttled the present one.
     *
     * @param answer any answer, also of a successful dry run
     */
    void pace(Move move, EvictionAnswer answer, Instant now) {
        switch (answer) {
            case EvictionAnswer.Throttled(var retryAfter) -> requestPace.throttled(move.id(), retryAfter, now);
            case EvictionAnswer.Evicted _,
                    EvictionAnswer.Gone _,
                    EvictionAnswer.Conflict _,
                    EvictionAnswer.OutOfBudget _,
                    EvictionAnswer.SeveralBudgets _,
                    EvictionAnswer.RefusedByAdmission _,
                    EvictionAnswer.DryRunUnsupported _,
                    EvictionAnswer.Forbidden _,
                    EvictionAnswer.NamespaceTerminating _ -> requestPace.answered();
            case EvictionAnswer.Failed _, EvictionAnswer.Unknown _, EvictionAnswer.NotSent _ -> {
                // Nothing is known about the load of the API server.
            }
        }
    }

    /** Notifies users of the answer to an eviction request or its dry run. */
    void reportAnswer(Move move, EvictionAnswer answer, List<Effect> effects) {
        effects.add(new Effect.Notify(new Notification.Answered(moves.leadingTo(move), move.id(), answer)));
    }

    /**
     * Handles a refused dry run or eviction request. If the pod had changed since it was read, begins the next attempt;
     * after three such conflicts, the last attempt names the pod by UID alone. Otherwise drops the move, and holds the
     * violation if it is still due.
     */
    void refused(Move move, EvictionAnswer answer, Instant now, List<Effect> effects) {
        reportAnswer(move, answer, effects);
        Optional<Violation> violation = book.find(move.key());
        if (violation.isEmpty()) {
            moves.drop(move);
        } else if (answer instanceof EvictionAnswer.Conflict && move.rule().isPresent() && mayRepeat(move)) {
            moves.put(move.again(now));
            effects.add(reads.request(move));
        } else {
            Optional<Refusal> before = decisions.refusal(move.key());
            giveUp(move, violation.get(), budgets.refusal(move.victim(), answer, before, now), now, effects);
        }
    }

    /** Counts a conflict; returns whether the pair of dry run and eviction may be sent again. */
    private boolean mayRepeat(Move move) {
        boolean byUid = isByUidAlone(move);
        countConflict(move);
        return !byUid && move.attempts() <= MOST_CONFLICTS;
    }

    /** Counts a conflict of a pod that changed while it was read or while its eviction was requested. */
    void countConflict(Move move) {
        cluster.pod(move.victim().uid()).ifPresent(pod -> decisions.conflicted(move.key(), pod));
    }

    /**
     * {@return whether the next request of a move carries the UID of its pod alone} This happens after three conflicts
     * in which labels and spec of the pod stayed the same. Such a request names no version, so further changes of the
     * pod do not refuse it.
     */
    boolean isByUidAlone(Move move) {
        return cluster.pod(move.victim().uid())
                .filter(pod -> decisions.conflicts(move.key(), pod) >= MOST_CONFLICTS)
                .isPresent();
    }

    /**
     * Drops a move because an object differs between the API server and the cache, and holds the violation if it is
     * still due.
     */
    void viewBehind(Move move, Violation violation, ConfirmingReads.Difference why, Instant now, List<Effect> effects) {
        Refusal refusal = ofRead(move, Reason.VIEW_BEHIND, why.message(), now).redacted(why.forTenants());
        giveUp(move, violation, refusal, now, effects);
    }

    /**
     * Drops a move because the reads right before its eviction failed, and holds the violation if it is still due. The
     * error may name pods of other namespaces, because partners are read too.
     */
    void unread(Move move, Reason reason, String message, Instant now, List<Effect> effects) {
        if (reason == Reason.THROTTLED) {
            requestPace.throttled(move.id(), Optional.empty(), now);
        }
        Refusal refusal = ofRead(move, reason, message, now).redacted("a read from the API server failed");
        book.find(move.key())
                .ifPresentOrElse(violation -> giveUp(move, violation, refusal, now, effects), () -> moves.drop(move));
    }

    /**
     * Drops a move whose read, dry run or eviction request got no answer. If the violation still exists, the next plan
     * holds it, and gives this reason.
     */
    void dropUnanswered(Move move, Reason reason, String message, Instant now) {
        if (book.find(move.key()).isPresent()) {
            refuse(move, ofRead(move, reason, message, now));
        }
        moves.drop(move);
    }

    private Refusal ofRead(Move move, Reason reason, String message, Instant now) {
        return Refusal.ofRead(reason, message, decisions.refusal(move.key()), now);
    }

    /** Drops a move that evicted no pod, and records why. If the violation is still due, holds it for that reason. */
    private void giveUp(Move move, Violation violation, Refusal refusal, Instant now, List<Effect> effects) {
        moves.drop(move);
        Refusal refused = refuse(move, refusal);
        if (book.isDue(violation.key(), now)) {
            holds.hold(violation, refused.hold(), now, effects);
        }
    }

    /**
     * Records a refusal. If the victim is not the rule owner, the hold of the rule owner names the victim, but not for
     * tenants.
     */
    private Refusal refuse(Move move, Refusal refusal) {
        Refusal refused = move.isOfOwner() ? refusal : refusal.saying(SubstituteVictim.instead(move.victim()));
        decisions.refuse(move.key(), move.victim().uid(), refused);
        return refused;
    }
}
