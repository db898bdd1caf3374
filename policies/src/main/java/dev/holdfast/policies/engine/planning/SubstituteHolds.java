package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.state.ActivePauses;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.OwnerVictim;
import dev.holdfast.policies.plan.input.SubstituteVictim;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.Optional;

/** Holds that prevent the eviction of partners instead of a rule owner ({@code victim: LowestPriority}). */
public final class SubstituteHolds {
    private final RequestedRules requested;
    private final SubstituteVictims substituteVictims;
    private final ActivePauses pauses;
    private final DisruptionBudgetHolds budgets;

    public SubstituteHolds(
            RequestedRules requested,
            SubstituteVictims substituteVictims,
            ActivePauses pauses,
            DisruptionBudgetHolds budgets) {
        this.requested = requested;
        this.substituteVictims = substituteVictims;
        this.pauses = pauses;
        this.budgets = budgets;
    }

    /**
     * {@return why the partners that a candidate names as victims must not be evicted now, whatever a plan would
     * decide; empty if they may be, or if the victim is the rule owner itself}
     */
    Optional<Hold> against(Candidate candidate, Instant now) {
        return switch (candidate.strategy()) {
            case OwnerVictim _ -> Optional.empty();
            case SubstituteVictim substituteVictim ->
                ownerGoes(substituteVictim.owner(), now)
                        .or(() -> pauses.against(candidate.pod(), now).map(candidate::namingVictim))
                        .or(() -> againstRest(substituteVictim, now));
        };
    }

    private Optional<Hold> againstRest(SubstituteVictim substituteVictim, Instant now) {
        for (Candidate next : substituteVictim.rest()) {
            Optional<Hold> hold = pauses.against(next.pod(), now).or(() -> budgets.neverAllowed(next.pod(), now));
            if (hold.isPresent()) {
                return hold.map(next::namingVictim);
            }
        }
        return Optional.empty();
    }

    /**
     * {@return the hold if the rule owner soon becomes due for another violated rule: its own eviction then heals both
     * rules} Soon means within its settle time (how long its workload must have been undisturbed before one of the pods
     * moves).
     */
    private Optional<Hold> ownerGoes(Candidate owner, Instant now) {
        return substituteVictims
                .dueForOtherRuleAt(owner, requested.get(owner.violation().key()), now)
                .filter(at -> !at.isAfter(now.plus(owner.settleTime())))
                .map(at -> Hold.until(
                        Reason.WORKLOAD_UNSETTLED,
                        "pod " + owner.pod().name() + " itself becomes due at the next check for another violated rule",
                        at));
    }
}
