package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.breaker.MissingReplacement;
import dev.holdfast.policies.engine.breaker.OutcomeBreaker;
import dev.holdfast.policies.engine.live.DirectEvaluation;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.memory.MovesInFlight;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Futility;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.AppliedRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Determines and records the outcome of moves: moved, futile or gone. */
final class MoveOutcomes {
    private final LiveCluster cluster;
    private final DirectEvaluation evaluation;
    private final MovesInFlight moves;
    private final OutcomeBreaker outcomeBreaker;
    private final Duration replacementTimeout;

    MoveOutcomes(
            LiveCluster cluster,
            DirectEvaluation evaluation,
            MovesInFlight moves,
            OutcomeBreaker outcomeBreaker,
            Duration replacementTimeout) {
        this.cluster = cluster;
        this.evaluation = evaluation;
        this.moves = moves;
        this.outcomeBreaker = outcomeBreaker;
        this.replacementTimeout = replacementTimeout;
    }

    /** {@return the outcome of a move whose replacement is Ready: moved, or futile if the rule is violated again} */
    Outcome ofReady(Pod replacement, Move move) {
        return isBrokenBy(replacement, move) ? Outcome.BROKEN_AGAIN : Outcome.MOVED;
    }

    /**
     * {@return whether the rule is broken again} If the pod that has the rule was evicted, its replacement must violate
     * the rule. If another pod was evicted instead, the pod that has the rule must violate it because of the
     * replacement.
     */
    private boolean isBrokenBy(Pod replacement, Move move) {
        if (move.isOfOwner()) {
            return verdict(move, replacement) instanceof Verdict.Violated;
        }
        return cluster.pod(move.key().podUid())
                .filter(owner -> verdict(move, owner) instanceof Verdict.Violated(ViolationDetail violationDetail)
                        && violationDetail.partners().stream()
                                .anyMatch(partner -> partner.uid().equals(replacement.uid())))
                .isPresent();
    }

    /**
     * {@return the verdict about a pod for the rule of a move} An earlier process remembered only the identity of the
     * rule. If no policy requests the rule for the pod any more, nothing is violated.
     */
    private Verdict verdict(Move move, Pod pod) {
        return move.rule()
                .or(() -> cluster.index().rule(pod.uid(), move.key().rule()).map(AppliedRule::rule))
                .map(rule -> evaluation.verdict(rule, pod))
                .orElseGet(Verdict::satisfied);
    }

    /**
     * Ends a move: records and reports its outcome, and removes it from the moves in flight.
     *
     * @param node the node of the replacement; absent if no replacement is bound to a node
     */
    void finish(
            Move move, Outcome outcome, Optional<String> node, Instant evictedAt, Instant now, List<Effect> effects) {
        move.workload().ifPresent(workload -> remember(move, workload, outcome, node, now));
        brake(move, outcome, now);
        moves.evictionHistory().complete(move.id(), node, Optional.of(outcome));
        effects.add(
                new Effect.Notify(new Notification.Moved(moves.leadingTo(move), move.id(), outcome, node, evictedAt)));
        moves.drop(move);
    }

    private void brake(Move move, Outcome outcome, Instant now) {
        String namespace = move.victim().namespace();
        switch (outcome) {
            case NOT_READY -> {
                MissingReplacement missing =
                        new MissingReplacement(move, moves.begun(move), now, moves.knewOwner(move));
                if (move.expectsReadyReplacement()) {
                    moves.moves().slowStart().failed(namespace, now);
                    outcomeBreaker.failed(missing);
                }
                moves.await(missing, outcomeBreaker::counts);
            }
            case MOVED -> {
                moves.moves().slowStart().succeeded(namespace, now);
                outcomeBreaker.succeeded(move);
            }
            case BROKEN_AGAIN -> outcomeBreaker.succeeded(move);
            case GONE -> {
                // Nothing is known about a replacement that the workload does not want.
            }
        }
    }

    /** Records that a missing replacement is Ready after all. */
    void late(MissingReplacement missing, Pod replacement, Instant now) {
        Move move = missing.move();
        if (ofReady(replacement, move) == Outcome.MOVED) {
            move.workload()
                    .ifPresent(workload ->
                            moves.futility().succeeded(workload, move.key().rule(), now));
            evictedAt(move).ifPresent(at -> moves.moves().repeated().succeeded(move, at, replacement.uid(), now));
            if (move.expectsReadyReplacement()) {
                moves.moves().slowStart().rescued(move.victim().namespace());
            }
        }
        outcomeBreaker.replaced(missing);
        moves.awaitNoMore(missing);
    }

    private static Optional<Instant> evictedAt(Move move) {
        return switch (move.stage()) {
            case Move.Stage.Landed landed -> Optional.of(landed.evictedAt());
            case Move.Stage.Evicted evicted -> Optional.of(evicted.at());
            case Move.Stage.Recording _,
                    Move.Stage.Confirming _,
                    Move.Stage.DryRunning _,
                    Move.Stage.Requested _,
                    Move.Stage.Unknown _ -> Optional.empty();
        };
    }

    /** Records that the workload of a missing replacement wants none any more. */
    void unwanted(MissingReplacement missing) {
        outcomeBreaker.unwanted(missing);
        moves.awaitNoMore(missing);
    }

    private void remember(Move move, Workload workload, Outcome outcome, Optional<String> node, Instant now) {
        switch (outcome) {
            case MOVED -> {
                moves.futility().succeeded(workload, move.key().rule(), now);
                if (move.stage() instanceof Move.Stage.Landed landed) {
                    moves.moves().repeated().succeeded(move, landed.evictedAt(), landed.replacementUid(), now);
                }
            }
            case BROKEN_AGAIN ->
                failed(move, workload, "landed on " + node.orElseThrow() + " and broke the rule again", now);
            case NOT_READY -> {
                String where = node.map(name -> " on " + name).orElse(" on any node");
                failed(move, workload, "was not Ready within " + replacementTimeout.toSeconds() + " s" + where, now);
            }
            case GONE -> {
                // Without a replacement, it is unknown whether the move would have been futile.
            }
        }
    }

    private void failed(Move move, Workload workload, String why, Instant now) {
        Futility.FutileMove failed = new Futility.FutileMove(now, move.policy(), why);
        Futility.Key.of(move.victim(), move.key().rule())
                .ifPresent(key -> moves.futility().failed(key, workload, failed));
    }
}
