package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.InfeasibleSince;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import java.time.Instant;
import java.util.Optional;

/** Decides about a candidate that no other node would take. */
@FunctionalInterface
public interface PlacementCheck {
    /**
     * {@return why the candidate is held; empty if its policy has it evicted without a node that would take it}
     *
     * @param infeasibility why no other node would take the pod
     * @param nowhere for how long that has been so, as far as plans have looked
     */
    Optional<Hold> against(
            Candidate candidate, Infeasibility infeasibility, InfeasibleSince.Stretch nowhere, Instant now);
}
