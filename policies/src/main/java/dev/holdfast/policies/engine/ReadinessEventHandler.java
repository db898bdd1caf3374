package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.ledger.LedgerKeeper;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.violations.GapPostponement;
import dev.holdfast.policies.engine.violations.ViolationTracker;
import dev.holdfast.policies.plan.domain.DomainHistory;
import java.time.Instant;
import java.util.List;

/**
 * Handles events that decide whether this replica may evict: views synced or lost, leadership, and the mode ceiling.
 * The mode ceiling is the strongest mode in which any policy acts.
 */
final class ReadinessEventHandler {
    private final Readiness readiness;
    private final ViolationBook book;
    private final DomainHistory domains;
    private final GapPostponement gaps;
    private final ViolationTracker violationTracker;
    private final LedgerKeeper ledger;

    ReadinessEventHandler(StateParts state, ViolationTracker violationTracker) {
        this.readiness = state.readiness;
        this.book = state.book;
        this.domains = state.plannerMemory.domains();
        this.gaps = new GapPostponement(readiness, book);
        this.violationTracker = violationTracker;
        this.ledger = state.ledger;
    }

    /**
     * Records that a view has synced. Starts the clocks of all violations when all views have synced for the first
     * time. Postpones deadlines after a gap (a time in which changes may have been missed).
     */
    void synced(View view, Instant now, List<Effect> effects) {
        readiness.views().synced(view, now);
        if (view == View.NODES) {
            domains.resync();
        }
        if (!readiness.isComplete() && readiness.views().all()) {
            readiness.complete(now);
            violationTracker.first(now, effects);
        }
        gaps.close(now);
    }

    void lost(Event.ViewLost lost) {
        readiness.views().lost(lost.view(), lost.why(), lost.lastHeard());
    }

    /**
     * Makes this replica the leader, which reads what earlier leaders did. The forgiveness of enforced rules starts
     * again, except for the time that they observed.
     */
    void lead(Instant now, List<Effect> effects) {
        readiness.lead(now);
        if (ledger.remembers()) {
            // The deadlines follow from what the ledger says, and no pod moves before.
            ledger.lead(now, effects);
        } else {
            book.updateAll(ClockRestart.LEADERSHIP_GAINED, now);
        }
    }

    /**
     * Makes this replica the leader again, and no other replica led meanwhile. The time without a leader does not count
     * towards the forgiveness of enforced rules, like a gap in which changes may have been missed.
     */
    void leadAgain(Instant now, List<Effect> effects) {
        readiness.leadAgain(now);
        book.updateAll(ClockRestart.LEADERSHIP_GAP, now);
        ledger.leadAgain(now, effects);
    }

    void follow(String why, Instant since, Instant now) {
        readiness.follow(why, since, now);
        ledger.follow();
    }

    /**
     * Sets the mode ceiling. Whenever a known ceiling rises to Enforce, all violations count as newly enforced.
     * Exception: the ceiling was Enforce a few minutes ago. So a right that is missing for a moment brings no old
     * violations.
     */
    void cap(Event.ModeCapped capped, Instant now) {
        boolean dips = readiness.dipsUntil(now).isPresent();
        boolean rises = readiness.isCeilingKnown() && readiness.ceiling().compareTo(capped.ceiling()) < 0 && !dips;
        readiness.cap(capped.ceiling(), capped.known(), now);
        if (rises && readiness.isComplete()) {
            ledger.beginsToEnforce(now);
        }
        book.updateAll(ClockRestart.CEILING_RAISED, now);
    }
}
