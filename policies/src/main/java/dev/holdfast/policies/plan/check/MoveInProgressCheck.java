package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Partners;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds a candidate while a move is in flight that may heal its violation: the move of a pod in the same scope, or
 * moves after which its rule holds, whichever rules these moves are made for. Moves that will be made anyway count like
 * moves in flight. Also holds a candidate while all pods that break its anti-affinity are terminating.
 *
 * <p>Example: a cache must be on a node with an SSD and is not, and a web pod must be in the zone of a cache and is
 * not. While the cache moves to a node in the zone of the web pod, the web pod waits.
 */
final class MoveInProgressCheck implements Check {
    /** How long to wait for a terminating pod after its deletion time (the deletion request plus the grace period). */
    static final Duration LONG_TERMINATING = Duration.ofMinutes(5);

    private static final String OTHER_POD = "a pod of another namespace";

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .moves()
                .blocking(candidate.pod().uid(), candidate.scope(), situation.now())
                .or(() -> healing(candidate, situation))
                .map(move -> waitingFor(move, candidate, situation.now()))
                .or(() -> leaving(candidate, situation));
    }

    /**
     * {@return a move without which the candidate's rule would still be violated after the promised moves; empty if the
     * rule stays violated after all of them}
     */
    private static Optional<Move> healing(Candidate candidate, Situation situation) {
        if (candidate.rule() instanceof Rule.OfNode) {
            return Optional.empty();
        }
        List<Move> moves = promised(candidate, situation);
        if (moves.isEmpty() || remains(candidate, moves, situation)) {
            return Optional.empty();
        }
        for (Move move : List.copyOf(moves)) {
            moves.remove(move);
            if (moves.isEmpty() || remains(candidate, moves, situation)) {
                return Optional.of(move);
            }
        }
        return Optional.empty();
    }

    /**
     * {@return the moves in flight, and the expected moves unless the candidate's own pod is expected to move} Moves
     * whose replacement is bound already, or is awaited for too long, are left out.
     */
    private static List<Move> promised(Candidate candidate, Situation situation) {
        List<Move> promised = new ArrayList<>();
        for (Move move : situation.moves().inFlight()) {
            if (situation.now().isBefore(move.holdsScopeUntil())) {
                promised.add(move);
            }
        }
        List<Move> expected = situation.moves().expected();
        if (expected.stream()
                .noneMatch(move -> move.victim().uid().equals(candidate.pod().uid()))) {
            promised.addAll(expected);
        }
        return promised;
    }

    private static boolean remains(Candidate candidate, List<Move> moves, Situation situation) {
        return situation.rules().afterMoves().remains(candidate, PendingMoves.of(moves, situation.view()));
    }

    private static Hold waitingFor(Move move, Candidate candidate, Instant now) {
        boolean itself = move.victim().uid().equals(candidate.pod().uid());
        String what = (move.promised() ? " would be moved first" : " is being moved")
                + (itself ? " for another rule" : "")
                + "; the rule is evaluated again after that";
        Instant free = move.holdsScopeUntil();
        return naming(
                move.victim(),
                candidate,
                new Hold(
                        Reason.MOVE_IN_SCOPE,
                        (itself ? "the pod itself" : "pod " + move.victim().name()) + what,
                        Optional.of(free).filter(at -> at.isAfter(now) && at.isBefore(Instant.MAX))),
                OTHER_POD + what);
    }

    /** {@return the hold, with the other message for tenants if the pod that it names is of another namespace} */
    private static Hold naming(Pod named, Candidate candidate, Hold hold, String forTenants) {
        return named.namespace().equals(candidate.owner().namespace()) ? hold : hold.redacted(forTenants);
    }

    private static Optional<Hold> leaving(Candidate candidate, Situation situation) {
        if (!(candidate.rule() instanceof Rule.PodAntiAffinity rule)) {
            return Optional.empty();
        }
        return UntrustedCauseCheck.partners(rule, candidate, situation)
                .leaving(candidate.owner())
                .filter(leaving -> situation.now().isBefore(waitedForUntil(leaving)))
                .map(leaving -> Hold.until(
                                Reason.PARTNERS_LEAVING,
                                "every conflicting pod is already being deleted: " + leaving.name(),
                                waitedForUntil(leaving))
                        .redacted("every conflicting pod is already being deleted"));
    }

    /**
     * {@return until when to wait for the terminating pods: five minutes after the earliest of their deletion times}
     */
    private static Instant waitedForUntil(Partners.Leaving leaving) {
        return leaving.earliest().plus(LONG_TERMINATING);
    }
}
