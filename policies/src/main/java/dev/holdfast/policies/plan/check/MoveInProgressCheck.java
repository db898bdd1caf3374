package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Partners;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Holds a candidate while a move is in flight that may heal its violation: the move of a pod in the same scope. Also
 * holds it while all pods that break its anti-affinity are terminating.
 */
final class MoveInProgressCheck implements Check {
    /** How long to wait for a terminating pod after its deletion time (the deletion request plus the grace period). */
    static final Duration LONG_TERMINATING = Duration.ofMinutes(5);

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .moves()
                .blocking(candidate.pod().uid(), candidate.scope(), situation.now())
                .map(move -> waitingFor(move, situation.now()))
                .or(() -> leaving(candidate, situation));
    }

    private static Hold waitingFor(Move move, Instant now) {
        String what = move.promised() ? " would be moved first" : " is being moved";
        Instant free = move.holdsScopeUntil();
        return new Hold(
                Reason.MOVE_IN_SCOPE,
                "pod " + move.victim().name() + what + "; the rule is evaluated again after that",
                Optional.of(free).filter(at -> at.isAfter(now) && at.isBefore(Instant.MAX)));
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
                        "every pod it conflicts with is already being deleted: " + leaving.name(),
                        waitedForUntil(leaving)));
    }

    /**
     * {@return until when to wait for the terminating pods: five minutes after the earliest of their deletion times}
     */
    private static Instant waitedForUntil(Partners.Leaving leaving) {
        return leaving.earliest().plus(LONG_TERMINATING);
    }
}
