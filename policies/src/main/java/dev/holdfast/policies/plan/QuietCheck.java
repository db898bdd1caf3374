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
        Optional<Move> move = situation.moves().blocking(candidate.scope());
        if (move.isPresent()) {
            return Optional.of(Hold.untilChange(
                    Reason.MOVE_IN_SCOPE,
                    "pod " + move.get().victim().name() + " is being moved, and its rule is judged again after that"));
        }
        return leaving(candidate, situation);
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
