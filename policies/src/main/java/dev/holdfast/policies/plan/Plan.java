package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The plan for all due violations: each candidate is chosen, held or deferred.
 *
 * @param later the candidates whose feasibility this plan did not check; a later plan checks them
 * @param nextLook when to plan again, because cached results of a feasibility check have expired by then; absent if
 *     none was cached
 */
public record Plan(List<Chosen> chosen, List<Held> held, List<Candidate> later, Optional<Instant> nextLook) {
    public Plan {
        chosen = List.copyOf(chosen);
        held = List.copyOf(held);
        later = List.copyOf(later);
    }

    /** The decision about one candidate. */
    public sealed interface Decision {}

    /**
     * The candidate is a victim.
     *
     * @param target a node that would take the replacement; absent if the policy evicts without one
     */
    public record Chosen(Candidate candidate, Optional<String> target) implements Decision {}

    /** The candidate is not moved now. */
    public record Held(Candidate candidate, Hold hold) implements Decision {}
}
