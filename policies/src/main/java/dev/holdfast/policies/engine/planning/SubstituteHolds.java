package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.memory.ActivePauses;
import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.OwnerVictim;
import dev.holdfast.policies.plan.situation.SubstituteVictim;
import java.time.Instant;
import java.util.Optional;

/** Holds of pods that are to be evicted instead of a rule owner. */
public final class SubstituteHolds {
    private final RequestedRules requested;
    private final SubstituteVictims substituteVictims;
    private final ActivePauses pauses;
    private final PdbHolds budgets;

    public SubstituteHolds(
            RequestedRules requested, SubstituteVictims substituteVictims, ActivePauses pauses, PdbHolds budgets) {
        this.requested = requested;
        this.substituteVictims = substituteVictims;
        this.pauses = pauses;
        this.budgets = budgets;
    }

    /** {@return why no pod may go instead of the rule owner, whatever a plan would say; empty if the owner itself goes} */
    Optional<Hold> against(Candidate candidate, Instant now) {
        return switch (candidate.strategy()) {
            case OwnerVictim _ -> Optional.empty();
            case SubstituteVictim substituteVictim ->
                ownerGoes(substituteVictim.owner(), now)
                        .or(() -> pauses.against(candidate.pod(), now).map(candidate::named))
                        .or(() -> againstRest(substituteVictim, now));
        };
    }

    private Optional<Hold> againstRest(SubstituteVictim substituteVictim, Instant now) {
        for (Candidate next : substituteVictim.rest()) {
            Optional<Hold> hold = pauses.against(next.pod(), now).or(() -> budgets.neverAllowed(next.pod(), now));
            if (hold.isPresent()) {
                return hold.map(next::named);
            }
        }
        return Optional.empty();
    }

    /** {@return that the rule owner will soon have to go itself, unless another of its rules is healed until then} */
    private Optional<Hold> ownerGoes(Candidate owner, Instant now) {
        return substituteVictims
                .mayGoFrom(owner.pod(), requested.get(owner.violation().key()))
                .filter(at -> !at.isAfter(now.plus(owner.settleTime())))
                .map(at -> Hold.until(
                        Reason.WORKLOAD_UNSETTLED,
                        "pod " + owner.pod().name()
                                + " would go itself if another broken rule of it is not healed until then",
                        at));
    }
}
