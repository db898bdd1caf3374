package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What to do about every due violation: each is chosen, held or left for later.
 *
 * @param later those for whom this plan has not looked for a place: the next ones will
 * @param nextLook when to plan again, since places that were full a moment ago were not looked at again
 */
public record Plan(List<Chosen> chosen, List<Held> held, List<Candidate> later, Optional<Instant> nextLook) {
    public Plan {
        chosen = List.copyOf(chosen);
        held = List.copyOf(held);
        later = List.copyOf(later);
    }

    /** What was decided about one candidate. */
    public sealed interface Decision {}

    /**
     * The candidate is a victim.
     *
     * @param target a node that would take the replacement; absent where the policy evicts without one
     */
    public record Chosen(Candidate candidate, Optional<String> target) implements Decision {}

    /** The candidate stays where it is. */
    public record Held(Candidate candidate, Hold hold) implements Decision {}
}
