package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.InfeasibleSince;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.Optional;

/** A check of a candidate that no other node would take. */
@FunctionalInterface
public interface PlacementCheck {
    /**
     * {@return the hold of the candidate; empty if its policy lets it be evicted although no other node would take it}
     *
     * @param infeasibility why no other node would take the pod
     * @param nowhere since when no check has found a node for the pod, and the time of the last check
     */
    Optional<Hold> against(
            Candidate candidate, Infeasibility infeasibility, InfeasibleSince.Period nowhere, Instant now);
}
