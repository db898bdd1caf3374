package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Nobody else is at work on the same thing: no move in the same scope, and no conflict that is leaving by itself. */
final class QuietCheck implements Check {
    /** A pod that has been on its way out for longer holds nothing up any more. */
    private static final Duration LONG_TERMINATING = Duration.ofMinutes(5);

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .moves()
                .blocking(candidate.pod().uid(), candidate.scope())
                .map(QuietCheck::waitingFor)
                .or(() -> leaving(candidate, situation));
    }

    private static Hold waitingFor(Move move) {
        String what = move.promised() ? " would be moved first" : " is being moved";
        return Hold.untilChange(
                Reason.MOVE_IN_SCOPE,
                "pod " + move.victim().name() + what + ", and the rule is judged again after that");
    }

    private static Optional<Hold> leaving(Candidate candidate, Situation situation) {
        if (!(candidate.rule() instanceof Rule.PodAntiAffinity rule)) {
            return Optional.empty();
        }
        List<Pod> partners = TrustCheck.partners(rule, candidate, situation);
        List<Instant> patience = partners.stream()
                .flatMap(partner -> waitedForUntil(partner, situation).stream())
                .toList();
        if (partners.isEmpty() || patience.size() < partners.size()) {
            return Optional.empty();
        }
        return Optional.of(Hold.until(
                Reason.PARTNERS_LEAVING,
                "every pod it conflicts with is already being deleted: "
                        + partners.getFirst().name(),
                Collections.min(patience)));
    }

    /** {@return until when a partner that is leaving is waited for; empty if it stays, or has been leaving too long} */
    private static Optional<Instant> waitedForUntil(Pod partner, Situation situation) {
        return partner.life()
                .deletionTime()
                .map(deletion -> deletion.plus(LONG_TERMINATING))
                .filter(situation.now()::isBefore);
    }
}
