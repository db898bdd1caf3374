package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The decisions about all due violations: each candidate is chosen, held or left to a later plan.
 *
 * @param chosen the candidates whose pods are to move now, in the order in which they were chosen
 * @param held the candidates whose pods do not move now, with the reasons
 * @param later the candidates for which this plan did not look for a node; a later plan does
 * @param nextLook when to plan again, because a reused result of an earlier search for a node is too old then; absent
 *     if none was reused
 */
public record Plan(List<Chosen> chosen, List<Held> held, List<Candidate> later, Optional<Instant> nextLook) {
    public Plan {
        chosen = List.copyOf(chosen);
        held = List.copyOf(held);
        later = List.copyOf(later);
    }

    /** Whether the pod of one candidate moves now. */
    public sealed interface Decision {}

    /**
     * The pod of the candidate is to move now.
     *
     * @param target a node that would take the replacement; absent if none would and the policy evicts nevertheless
     */
    public record Chosen(Candidate candidate, Optional<String> target) implements Decision {}

    /**
     * The pod of the candidate does not move now, for the reason that the hold gives.
     *
     * @param ofPolicies the hold of each requesting policy that has one of its own; {@code hold} is for all others
     */
    public record Held(Candidate candidate, Hold hold, Map<PolicyId, Hold> ofPolicies) implements Decision {
        public Held {
            ofPolicies = Map.copyOf(ofPolicies);
        }

        /** Creates a decision that is the same for all requesting policies. */
        public Held(Candidate candidate, Hold hold) {
            this(candidate, hold, Map.of());
        }
    }
}
