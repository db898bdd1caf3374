package dev.holdfast.policies.engine.eviction;

import dev.holdfast.policies.engine.breaker.MissingReplacement;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.ReadyReplacements;
import dev.holdfast.policies.engine.state.WorkloadDisturbances;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Move;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Follows a move after its eviction: where the replacement lands, whether the replacement becomes Ready, and whether
 * the rule then holds.
 */
public final class ReplacementTracker {
    private final LiveCluster cluster;
    private final MovesInFlight moves;
    private final WorkloadDisturbances workloadDisturbances;
    private final WorkloadPods workloadPods;
    private final StageTimeouts timeouts;
    private final ReadyReplacements readyReplacements;
    private final MoveOutcomes outcomes;
    private final RefusedEvictions refusedEvictions;

    public ReplacementTracker(
            LiveCluster cluster,
            MovesInFlight moves,
            WorkloadDisturbances workloadDisturbances,
            WorkloadPods workloadPods,
            StageTimeouts timeouts,
            ReadyReplacements readyReplacements,
            MoveOutcomes outcomes,
            RefusedEvictions refusedEvictions) {
        this.cluster = cluster;
        this.moves = moves;
        this.workloadDisturbances = workloadDisturbances;
        this.workloadPods = workloadPods;
        this.timeouts = timeouts;
        this.readyReplacements = readyReplacements;
        this.outcomes = outcomes;
        this.refusedEvictions = refusedEvictions;
    }

    /**
     * {@return the same move in stage Requested} The stage keeps the UIDs of the workload's present pods, so that a
     * later pod is recognized as the replacement.
     */
    Move requested(Move move, Instant now) {
        return move.at(new Move.Stage.Requested(now, workloadPods.siblings(move)));
    }

    /** Records that the eviction request of a move got no answer, and returns the move in stage Unknown. */
    Move answerUnknown(Move move, Instant now) {
        Move unknown = move.at(new Move.Stage.Unknown(now, siblings(move.stage())));
        moves.put(unknown);
        return unknown;
    }

    /**
     * Records that the victim was evicted. The eviction counts against the hourly limits, and the move waits for a
     * replacement.
     */
    void begin(Move move, Instant now) {
        moves.spend(move, now);
        moves.advance(move.at(new Move.Stage.Evicted(now, siblings(move.stage()))));
        ViolationReport report = moves.leadingTo(move);
        if (cluster.index().policy(report.policy()).isPresent()) {
            moves.evictionHistory().add(report.policy(), move.id(), evicted(move, report, now));
        }
    }

    private static PolicyReport.EvictionRecord evicted(Move move, ViolationReport report, Instant now) {
        return new PolicyReport.EvictionRecord(
                now,
                move.victim().name(),
                move.fromNode(),
                Optional.empty(),
                report.rule(),
                report.policy()
                        .namespace()
                        .map(report.cause()::disclosedTo)
                        .orElse(report.cause())
                        .describe(),
                Optional.empty());
    }

    /**
     * Checks the moves in flight that an event may affect, and those whose time is over. Advances each of these moves
     * to its next stage, or ends it, where possible. Then checks the moves that ended without a Ready replacement: one
     * that becomes Ready later counts as a success from then on.
     *
     * @param concerned a test: whether the present event may affect a move
     * @param awaited the same test for the moves that ended without a Ready replacement
     */
    public void run(Predicate<Move> concerned, Predicate<Move> awaited, Instant now, List<Effect> effects) {
        boolean steady = readyReplacements.mayBeSteady(now);
        runInFlight(move -> steady || concerned.test(move) || timeouts.isOver(move, now), now, effects);
        runLate(move -> steady || awaited.test(move), now);
        readyReplacements.forgetSteady(now);
    }

    private void runInFlight(Predicate<Move> concerned, Instant now, List<Effect> effects) {
        for (Move move : List.copyOf(moves.all())) {
            if (!concerned.test(move)) {
                continue;
            }
            switch (move.stage()) {
                case Move.Stage.Recording _ -> owed(move, "the write of the ledger", now);
                case Move.Stage.Confirming _ -> owed(move, "the reads", now);
                case Move.Stage.DryRunning _ -> owed(move, "the dry run", now);
                case Move.Stage.Requested _ -> overdue(move, now);
                case Move.Stage.Unknown _ -> unknown(move, now);
                case Move.Stage.Evicted evicted -> evicted(move, evicted, now, effects);
                case Move.Stage.Landed landed -> landed(move, landed, now, effects);
            }
        }
    }

    private void runLate(Predicate<Move> concerned, Instant now) {
        for (MissingReplacement missing : moves.awaited()) {
            Move move = missing.move();
            if (concerned.test(move)) {
                Set<String> siblings = siblings(move.stage());
                Optional<Pod> ready = workloadPods.replacement(
                        move, siblings, replacement -> readyReplacements.isSteady(replacement, now));
                if (ready.isPresent()) {
                    outcomes.late(missing, ready.get(), now);
                } else if (workloadPods.noReplacementExpected(move, siblings, missing.ownerWasKnown())) {
                    outcomes.unwanted(missing);
                }
            }
        }
    }

    /**
     * {@return the earliest instant at which a move in flight times out, or a replacement has been Ready long enough;
     * empty if there is none}
     */
    public Optional<Instant> nextLook() {
        Optional<Instant> end = timeouts.firstEnd(moves.all());
        Optional<Instant> steady = readyReplacements.nextLook();
        return steady.filter(at -> end.filter(at::isAfter).isEmpty()).or(() -> end);
    }

    private void unknown(Move move, Instant now) {
        Optional<Pod> victim = cluster.pod(move.victim().uid());
        if (victim.filter(pod -> !pod.terminating()).isEmpty()) {
            begin(move, now);
            return;
        }
        if (timeouts.isOver(move, now)) {
            refusedEvictions.dropUnanswered(move, Reason.OUTCOME_UNKNOWN, "the eviction did not happen", now);
        }
    }

    private void owed(Move move, String what, Instant now) {
        if (timeouts.isOver(move, now)) {
            String message = "no answer to " + what + " within " + StageTimeouts.ANSWER_OWED.toSeconds() + " s";
            refusedEvictions.dropUnanswered(move, Reason.API_ERROR, message, now);
        }
    }

    private void overdue(Move move, Instant now) {
        if (timeouts.isOver(move, now)) {
            unknown(answerUnknown(move, now), now);
        }
    }

    private void evicted(Move move, Move.Stage.Evicted evicted, Instant now, List<Effect> effects) {
        workloadPods
                .refusal(move, evicted.siblings())
                .ifPresentOrElse(message -> timeouts.refused(move, message, now), () -> timeouts.notRefused(move));
        Optional<Pod> bound = workloadPods.boundReplacement(move, evicted.siblings());
        if (bound.isPresent()) {
            Pod replacement = bound.get();
            String node = replacement.nodeName().orElseThrow();
            Move.Stage.Landed landed = new Move.Stage.Landed(evicted.at(), evicted.siblings(), replacement.uid(), node);
            moves.advance(move.at(landed));
            move.workload().ifPresent(workload -> workloadDisturbances.takeBack(workload.id(), replacement.uid()));
            moves.evictionHistory().complete(move.id(), Optional.of(node), Optional.empty());
            landed(move.at(landed), landed, now, effects);
        } else if (workloadPods.noReplacementExpected(move, evicted.siblings(), moves.knewOwner(move))) {
            timeouts.notRefused(move);
            outcomes.gone(move, evicted.at(), now, effects);
        } else {
            untilTimeout(move, evicted.at(), Optional.empty(), now, effects);
        }
    }

    private void landed(Move move, Move.Stage.Landed landed, Instant now, List<Effect> effects) {
        Optional<Pod> replacement =
                cluster.pod(landed.replacementUid()).filter(pod -> pod.counts() && !pod.terminating());
        if (replacement.isEmpty()) {
            // The replacement was deleted before it was Ready: wait for another one, with the same timeout.
            Set<String> siblings = new TreeSet<>(landed.siblings());
            siblings.add(landed.replacementUid());
            moves.advance(move.at(new Move.Stage.Evicted(landed.evictedAt(), siblings)));
            untilTimeout(move, landed.evictedAt(), Optional.empty(), now, effects);
        } else if (readyReplacements.isSteady(replacement.get(), now)) {
            outcomes.ready(move, replacement.get(), landed.evictedAt(), now, effects);
        } else {
            untilTimeout(move, landed.evictedAt(), Optional.of(landed.node()), now, effects);
        }
    }

    private void untilTimeout(Move move, Instant evictedAt, Optional<String> node, Instant now, List<Effect> effects) {
        if (timeouts.isOver(move, now)) {
            timeouts.notRefused(move);
            outcomes.notReady(move, node, evictedAt, now, effects);
        }
    }

    private static Set<String> siblings(Move.Stage stage) {
        if (stage instanceof Move.Stage.Sent sent) {
            return sent.siblings();
        }
        throw new IllegalStateException("no eviction was requested yet");
    }
}
