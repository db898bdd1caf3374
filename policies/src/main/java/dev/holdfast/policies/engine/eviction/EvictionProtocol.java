package dev.holdfast.policies.engine.eviction;

import dev.holdfast.policies.engine.planning.ConfirmingReads;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.status.ReportFactory;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.plan.move.Move;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The steps of one eviction, after the ledger has it: fresh reads of the pod, its node and its partners, dry run,
 * eviction request, and the API server's answer. After that, {@link ReplacementTracker} follows the move.
 */
public final class EvictionProtocol {
    private final ViolationBook book;
    private final MovesInFlight moves;
    private final Revalidation revalidation;
    private final ConfirmingReads reads;
    private final ReportFactory reportFactory;
    private final ReplacementTracker replacementTracker;
    private final RefusedEvictions refusedEvictions;

    public EvictionProtocol(
            ViolationBook book,
            MovesInFlight moves,
            Revalidation revalidation,
            ConfirmingReads reads,
            ReportFactory reportFactory,
            ReplacementTracker replacementTracker,
            RefusedEvictions refusedEvictions) {
        this.book = book;
        this.moves = moves;
        this.revalidation = revalidation;
        this.reads = reads;
        this.reportFactory = reportFactory;
        this.replacementTracker = replacementTracker;
        this.refusedEvictions = refusedEvictions;
    }

    /** Begins the reads for a move that the ledger has now. */
    public void recorded(Move move, Instant now, List<Effect> effects) {
        Move confirming = move.at(new Move.Stage.Confirming(now));
        moves.put(confirming);
        effects.add(reads.request(confirming));
    }

    /**
     * Handles the result of the reads of the pod, its node and its partners. Checks again that the move is needed and
     * allowed. Then requests the dry run if the objects that were read do not differ from those that the engine knows
     * from its watches.
     */
    public void confirmed(Event.Confirmed read, Instant now, List<Effect> effects) {
        Optional<Move> found = moves.find(read.planId()).filter(move -> move.stage() instanceof Move.Stage.Confirming);
        if (found.isEmpty()) {
            return;
        }
        Move move = found.get();
        revalidation
                .revalidate(move, now, effects)
                .ifPresent(valid -> difference(read, move)
                        .ifPresentOrElse(
                                why -> refusedEvictions.viewBehind(move, valid.violation(), why, now, effects),
                                () -> dryRun(valid, read.pod().orElseThrow(), now, effects)));
    }

    /**
     * {@return how the objects that were read differ from the cached ones} A pod that changed three times faster than
     * its watch delivers is compared by content.
     */
    private Optional<ConfirmingReads.Difference> difference(Event.Confirmed read, Move move) {
        if (!reads.isOnlyNewer(read, move)) {
            return reads.difference(read, move);
        }
        boolean byUidAlone = refusedEvictions.isByUidAlone(move);
        refusedEvictions.countConflict(move);
        return byUidAlone ? reads.differenceOfOthers(read, move) : reads.difference(read, move);
    }

    /**
     * Drops a move whose pod, node or partners could not be read from the API server. If the move's violation is still
     * due, the violation is held.
     */
    public void confirmFailed(Event.ConfirmFailed failed, Instant now, List<Effect> effects) {
        moves.find(failed.planId())
                .ifPresent(move -> refusedEvictions.unread(move, failed.reason(), failed.message(), now, effects));
    }

    /**
     * Handles the answer to a dry run. If the dry run succeeded, revalidates the move, because the dry run may have
     * taken seconds, and requests the eviction.
     */
    public void dryRunAnswered(Event.DryRunAnswered event, Instant now, List<Effect> effects) {
        Optional<Move> found = moves.find(event.planId());
        if (found.isEmpty() || !(found.get().stage() instanceof Move.Stage.DryRunning(var _, long version))) {
            return;
        }
        Move move = found.get();
        refusedEvictions.pace(move, event.answer(), now);
        if (!(event.answer() instanceof EvictionAnswer.Evicted)) {
            refusedEvictions.refused(move, event.answer(), now, effects);
            return;
        }
        revalidation.revalidate(move, now, effects).ifPresent(valid -> {
            boolean byUidAlone = refusedEvictions.isByUidAlone(move);
            if (!byUidAlone && reads.isOutdated(move, version)) {
                // The API server decrements the disruption budget before it rejects a request for an outdated version.
                refusedEvictions.refused(
                        move, new EvictionAnswer.Conflict("the pod changed after it was read"), now, effects);
            } else {
                request(valid, byUidAlone ? OptionalLong.empty() : OptionalLong.of(version), now, effects);
            }
        });
    }

    /** Handles the answer to an eviction request. */
    public void answered(Event.Answered event, Instant now, List<Effect> effects) {
        Optional<Move> found = moves.find(event.planId()).filter(EvictionProtocol::isRequested);
        if (found.isEmpty()) {
            return;
        }
        Move move = found.get();
        refusedEvictions.pace(move, event.answer(), now);
        switch (event.answer()) {
            case EvictionAnswer.Evicted evicted -> {
                refusedEvictions.reportAnswer(move, evicted, effects);
                replacementTracker.begin(move, now);
            }
            case EvictionAnswer.Unknown unknown -> {
                refusedEvictions.reportAnswer(move, unknown, effects);
                replacementTracker.answerUnknown(move, now);
            }
            case EvictionAnswer.Gone _,
                    EvictionAnswer.Conflict _,
                    EvictionAnswer.OutOfBudget _,
                    EvictionAnswer.SeveralBudgets _,
                    EvictionAnswer.Throttled _,
                    EvictionAnswer.RefusedByAdmission _,
                    EvictionAnswer.DryRunUnsupported _,
                    EvictionAnswer.Forbidden _,
                    EvictionAnswer.NamespaceTerminating _,
                    EvictionAnswer.Failed _,
                    EvictionAnswer.NotSent _ -> refusedEvictions.refused(move, event.answer(), now, effects);
        }
    }

    private static boolean isRequested(Move move) {
        return move.stage() instanceof Move.Stage.Requested || move.stage() instanceof Move.Stage.Unknown;
    }

    private void dryRun(Revalidation.Valid valid, Pod read, Instant now, List<Effect> effects) {
        Move move = valid.move();
        moves.put(move.at(new Move.Stage.DryRunning(now, read.resourceVersion())));
        ViolationReport report = reportFactory.of(move, valid.violation(), now);
        moves.recordCause(move, report, now);
        boolean byUidAlone = refusedEvictions.isByUidAlone(move);
        effects.add(new Effect.DryRun(
                request(move, report, byUidAlone ? OptionalLong.empty() : OptionalLong.of(read.resourceVersion()))));
    }

    private void request(Revalidation.Valid valid, OptionalLong version, Instant now, List<Effect> effects) {
        Move move = valid.move();
        moves.put(replacementTracker.requested(move, now));
        ViolationReport report = book.reported(reportFactory.of(move, valid.violation(), now));
        moves.recordCause(move, report, now);
        effects.add(new Effect.Notify(new Notification.Evicting(report, move.id(), move.target())));
        effects.add(new Effect.Evict(request(move, report, version)));
    }

    private static EvictionRequest request(Move move, ViolationReport report, OptionalLong version) {
        return new EvictionRequest(
                move.id(),
                move.victim().name(),
                move.victim().uid(),
                version,
                report.policy(),
                report.rule(),
                move.key().rule(),
                report.cause().describe() + insteadOf(move, report),
                report.since());
    }

    private static String insteadOf(Move move, ViolationReport report) {
        return move.isOfOwner() ? "" : "; evicted instead of " + report.pod() + ", which has a higher priority";
    }
}
