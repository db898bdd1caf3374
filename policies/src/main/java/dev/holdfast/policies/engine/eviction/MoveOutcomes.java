package dev.holdfast.policies.engine.eviction;

import dev.holdfast.policies.engine.breaker.MissingReplacement;
import dev.holdfast.policies.engine.breaker.OutcomeBreaker;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.planning.EnforcedRulesReader;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.FutileStreak;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.MoveHistory;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Determines and records the outcome of moves: moved, futile or gone. */
public final class MoveOutcomes {
    /** The maximum number of rules that a message names. */
    private static final int NAMED = 3;

    private final LiveCluster cluster;
    private final EnforcedRulesReader enforcedRules;
    private final MovesInFlight moves;
    private final OutcomeBreaker outcomeBreaker;
    private final Duration replacementTimeout;

    public MoveOutcomes(
            LiveCluster cluster,
            EnforcedRulesReader enforcedRules,
            MovesInFlight moves,
            OutcomeBreaker outcomeBreaker,
            Duration replacementTimeout) {
        this.cluster = cluster;
        this.enforcedRules = enforcedRules;
        this.moves = moves;
        this.outcomeBreaker = outcomeBreaker;
        this.replacementTimeout = replacementTimeout;
    }

    /** Ends a move whose replacement is Ready: a success if the replacement breaks fewer rules than the victim did. */
    void ready(Move move, Pod replacement, Instant evictedAt, Instant now, List<Effect> effects) {
        Set<RuleIdentity> broken = enforcedRules.brokenBy(replacement, move);
        Optional<String> node = replacement.nodeName();
        if (move.enforced().isImprovedBy(broken)) {
            succeeded(move, broken, now);
            moves.moves().slowStart().succeeded(move.victim().namespace(), now);
            outcomeBreaker.succeeded(move);
            end(move, Outcome.MOVED, node, evictedAt, List.of(), now, effects);
        } else {
            List<String> names = names(broken, replacement, move);
            failed(move, "landed on " + node.orElseThrow() + " and broke " + String.join(", ", names), now);
            end(move, Outcome.BROKEN_AGAIN, node, evictedAt, names, now, effects);
        }
    }

    /** Ends a move that got no Ready replacement in time. */
    void notReady(Move move, Optional<String> node, Instant evictedAt, Instant now, List<Effect> effects) {
        failed(move, whyNotReady(move, node), now);
        MissingReplacement missing = new MissingReplacement(move, moves.begun(move), now, moves.knewOwner(move));
        if (move.expectsReadyReplacement()) {
            moves.moves().slowStart().failed(move.victim().namespace(), now);
            outcomeBreaker.failed(missing);
        }
        moves.await(missing, outcomeBreaker::counts);
        end(move, Outcome.NOT_READY, node, evictedAt, List.of(), now, effects);
    }

    /** Ends a move whose workload wants no replacement, so that the move is neither a success nor a failure. */
    void gone(Move move, Instant evictedAt, Instant now, List<Effect> effects) {
        end(move, Outcome.GONE, Optional.empty(), evictedAt, List.of(), now, effects);
    }

    private void end(
            Move move,
            Outcome outcome,
            Optional<String> node,
            Instant evictedAt,
            List<String> broken,
            Instant now,
            List<Effect> effects) {
        if (move.stage() instanceof Move.Stage.Landed landed) {
            moves.history().replaced(move, evictedAt, landed.replacementUid(), now);
        }
        moves.evictionHistory().complete(move.id(), node, Optional.of(outcome));
        effects.add(new Effect.Notify(
                new Notification.Moved(moves.leadingTo(move), move.id(), outcome, node, evictedAt, broken)));
        moves.drop(move);
    }

    /** Records that a missing replacement is Ready after all. */
    void late(MissingReplacement missing, Pod replacement, Instant now) {
        Move move = missing.move();
        switch (move.stage()) {
            case Move.Stage.Landed landed -> moves.history().replacedAgain(landed.replacementUid(), replacement.uid());
            case Move.Stage.Evicted evicted -> moves.history().replaced(move, evicted.at(), replacement.uid(), now);
            case Move.Stage.Recording _,
                    Move.Stage.Confirming _,
                    Move.Stage.DryRunning _,
                    Move.Stage.Requested _,
                    Move.Stage.Unknown _ -> throw new IllegalStateException("no pod was evicted");
        }
        Set<RuleIdentity> broken = enforcedRules.brokenBy(replacement, move);
        if (move.enforced().isImprovedBy(broken)) {
            succeeded(move, broken, now);
            if (move.expectsReadyReplacement()) {
                moves.moves().slowStart().rescued(move.victim().namespace());
            }
            outcomeBreaker.replaced(missing);
        } else {
            outcomeBreaker.unwanted(missing);
        }
        moves.awaitNoMore(missing);
    }

    /** Records that the workload of a missing replacement wants none any more. */
    void unwanted(MissingReplacement missing) {
        outcomeBreaker.unwanted(missing);
        moves.awaitNoMore(missing);
    }

    private void succeeded(Move move, Set<RuleIdentity> broken, Instant now) {
        move.workload()
                .ifPresent(workload ->
                        moves.history().succeeded(workload, move.key().rule(), broken, now));
    }

    private void failed(Move move, String why, Instant now) {
        FutileStreak.FutileMove failed =
                new FutileStreak.FutileMove(now, move.policy(), move.key().rule(), why);
        MoveHistory.Owner.of(move.victim())
                .ifPresent(owner ->
                        move.workload().ifPresent(workload -> moves.history().failed(owner, workload, failed)));
    }

    private List<String> names(Set<RuleIdentity> broken, Pod replacement, Move move) {
        Stream<String> again = Stream.of(move.key().rule())
                .filter(broken::contains)
                .map(_ -> moves.leadingTo(move).rule() + " again");
        List<String> names = Stream.concat(
                        again,
                        broken.stream()
                                .filter(rule -> !rule.equals(move.key().rule()))
                                .map(rule -> name(rule, replacement, move))
                                .sorted())
                .toList();
        return names.size() <= NAMED
                ? names
                : Stream.concat(names.stream().limit(NAMED), Stream.of(names.size() - NAMED + " other rules"))
                        .toList();
    }

    private String name(RuleIdentity rule, Pod replacement, Move move) {
        return cluster.index()
                .rule(replacement.uid(), rule)
                .or(() -> cluster.index().rule(move.key().podUid(), rule))
                .map(applied -> applied.requests().getFirst().name())
                .orElse("a rule that no policy requests now");
    }

    /** {@return the cause, without the words of the API server, because it may also hold pods of other namespaces} */
    private String whyNotReady(Move move, Optional<String> node) {
        return move.victim()
                .victimProtection()
                .controller()
                .filter(_ -> node.isEmpty())
                .flatMap(controller -> cluster.owner(move.victim().namespace(), controller.uid()))
                .flatMap(Owner::replicaFailure)
                .map(_ -> "was refused by the API server")
                .orElseGet(() -> "was not Ready within " + replacementTimeout.toSeconds() + " s"
                        + node.map(name -> " on " + name).orElse(" on any node"));
    }
}
