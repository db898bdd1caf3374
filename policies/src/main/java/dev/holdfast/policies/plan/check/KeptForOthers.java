package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The part of an hourly limit that is reserved for namespaces without an eviction within the hour: a tenth, and at
 * least one of a limit of 5 or more. So one namespace cannot use up the hour before another has a due violation.
 */
final class KeptForOthers {
    private static final int SHARE = 10;
    private static final int LEAST_LIMIT = 5;

    private KeptForOthers() {}

    /**
     * {@return the hold of a candidate whose namespace had an eviction within the hour, if what is left of the limit is
     * kept for others}
     *
     * @param sharing accepts the evictions that the limit counts
     * @param message names the limit and how much of it is used
     */
    static Optional<Hold> against(
            Candidate candidate,
            Situation situation,
            int limit,
            Predicate<Moves.PastEviction> sharing,
            Reason reason,
            String message) {
        int kept = limit < LEAST_LIMIT ? 0 : Math.max(1, limit / SHARE);
        Moves.Hour hour = situation.moves().hour(sharing, situation.now());
        if (hour.evictions() < limit - kept) {
            return Optional.empty();
        }
        String namespace = candidate.pod().namespace();
        Moves.Hour ofNamespace = situation
                .moves()
                .hour(past -> sharing.test(past) && past.namespace().equals(namespace), situation.now());
        return ofNamespace.evictions() == 0
                ? Optional.empty()
                : Optional.of(new Hold(
                        reason,
                        message + "; " + kept + " of these are kept for namespaces without an eviction within the hour",
                        hour.next()));
    }
}
