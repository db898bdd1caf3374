package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.ledger.LedgerState;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.state.ActivePauses;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.Refusal;
import dev.holdfast.policies.engine.state.RequestPace;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.Optional;

/**
 * Creates the holds that apply whatever a plan would decide: a view is not synced, this replica does not lead or does
 * not know what an earlier one did, a pause applies, the API server throttles requests, or it refused the eviction a
 * short time ago.
 */
public final class PrePlanHolds {
    private final LiveCluster cluster;
    private final Readiness readiness;
    private final LedgerState ledger;
    private final RequestedRules requested;
    private final ActivePauses pauses;
    private final Decisions decisions;
    private final SubstituteHolds substitutes;
    private final RequestPace requestPace;

    public PrePlanHolds(
            LiveCluster cluster,
            Readiness readiness,
            LedgerState ledger,
            RequestedRules requested,
            ActivePauses pauses,
            Decisions decisions,
            SubstituteHolds substitutes,
            RequestPace requestPace) {
        this.cluster = cluster;
        this.readiness = readiness;
        this.ledger = ledger;
        this.requested = requested;
        this.pauses = pauses;
        this.decisions = decisions;
        this.substitutes = substitutes;
        this.requestPace = requestPace;
    }

    /**
     * {@return why this replica must not act on a violation, whatever a plan would decide; empty if a plan may decide}
     */
    public Optional<Hold> against(Violation violation, Instant now) {
        Optional<Hold> ofAll = readiness.holdOfAll();
        if (ofAll.isPresent()) {
            return ofAll;
        }
        if (requested.isEnforced(violation.key())) {
            Optional<Hold> ofEnforced =
                    readiness.holdOfEnforced().or(ledger::hold).or(() -> requestPace.against(now));
            if (ofEnforced.isPresent()) {
                return ofEnforced;
            }
        }
        return cluster.pod(violation.key().podUid())
                .flatMap(owner -> pauses.against(owner, now))
                .or(() -> decisions
                        .refusal(violation.key())
                        .map(Refusal::hold)
                        .filter(hold -> hold.nextLook().filter(now::isBefore).isPresent()));
    }

    /**
     * {@return why the partners that a candidate names as victims must not be evicted now; empty if they may be, or if
     * the victim is the rule owner itself}
     */
    public Optional<Hold> againstSubstitute(Candidate candidate, Instant now) {
        return substitutes.against(candidate, now);
    }

    /** {@return whether a missing view or different verdicts hold all violations now} */
    boolean holdAll() {
        return readiness.holdOfAll().isPresent();
    }

    /** {@return whether any pause holds violations now} */
    boolean anyPauseApplies(Instant now) {
        return pauses.applyToAny(now);
    }

    /** {@return when the next pause starts or ends on schedule; empty if none does} */
    Optional<Instant> nextChange(Instant now) {
        return pauses.nextChange(now);
    }
}
