package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Nobody else is at work on the same thing: no move in the same scope, and no conflict that is leaving by itself. */
final class QuietCheck implements Check {
    /** A pod that has been on its way out for longer holds nothing up any more. */
    private static final Duration LONG_TERMINATING = Duration.ofMinutes(5);

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        Optional<Move> move = situation.moves().blocking(candidate.scope(), situation.now());
        if (move.isPresent()) {
            return Optional.of(Hold.until(
                    Reason.MOVE_IN_SCOPE,
                    "pod " + move.get().victim().name() + " is being moved, and its rule is judged again after that"));
        }
        List<Pod> partners = candidate.violation().breach().partners();
        if (!partners.isEmpty() && partners.stream().allMatch(partner -> leaving(partner, situation))) {
            return Optional.of(Hold.until(
                    Reason.PARTNERS_LEAVING,
                    "every pod it conflicts with is already being deleted: "
                            + partners.getFirst().name()));
        }
        return Optional.empty();
    }

    private static boolean leaving(Pod partner, Situation situation) {
        ClusterView view = situation.view();
        return view.pod(partner.uid())
                .flatMap(pod -> pod.life().deletionTime())
                .filter(deletion -> situation.now().isBefore(deletion.plus(LONG_TERMINATING)))
                .isPresent();
    }
}
