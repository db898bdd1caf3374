package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.engine.state.RecordedDecision;
import dev.holdfast.policies.engine.state.SharedValues;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.engine.status.ReportFactory;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import java.time.Instant;
import java.util.List;

/** Records why due violations are held, and notifies users when the reason changes. */
public final class HoldRecorder {
    private final ViolationBook book;
    private final Decisions decisions;
    private final ReportFactory reportFactory;
    private final PlanSchedule schedule;
    private final SharedValues<RecordedDecision> decided = new SharedValues<>();

    public HoldRecorder(ViolationBook book, Decisions decisions, ReportFactory reportFactory, PlanSchedule schedule) {
        this.book = book;
        this.decisions = decisions;
        this.reportFactory = reportFactory;
        this.schedule = schedule;
    }

    /** Holds a violation, and notifies users if the reason differs from the last reported one. */
    public void hold(Violation violation, Hold hold, Instant now, List<Effect> effects) {
        hold(violation, new RecordedDecision.Held(hold), now, effects);
    }

    /**
     * Holds a violation as a plan decided, and notifies users as {@link #hold(Violation, Hold, Instant, List)} does.
     */
    void hold(Plan.Held held, Instant now, List<Effect> effects) {
        held.ofPolicies().values().forEach(own -> own.nextLook().ifPresent(schedule::planBy));
        hold(held.candidate().violation(), new RecordedDecision.Held(held.hold(), held.ofPolicies()), now, effects);
    }

    private void hold(Violation violation, RecordedDecision.Held held, Instant now, List<Effect> effects) {
        ViolationKey key = violation.key();
        held.hold().nextLook().ifPresent(schedule::planBy);
        decisions.decide(key, decided.of(held));
        boolean known = book.wasReportedHeld(key, policy -> held.of(policy).reason());
        if (!known) {
            ViolationReport report = book.reported(reportFactory.describe(violation, now));
            effects.add(new Effect.Notify(new Notification.Held(report, held.of(report.policy()))));
        }
    }

    /** Holds a violation because its own pod is the victim of a move for another rule. Users are not notified. */
    void holdFor(Move move, ViolationKey key) {
        Hold hold = Hold.untilChange(
                Reason.MOVE_IN_SCOPE, "pod " + move.victim().name() + " is being moved for another rule");
        decisions.decide(key, new RecordedDecision.Held(hold));
    }

    /** Holds a violation until a later plan considers it. Users are not notified. */
    void queue(ViolationKey key, Instant now) {
        Instant next = schedule.planAgain(now);
        Hold hold = Hold.until(
                Reason.QUEUED, "many violations are due; Holdfast has not yet searched for a node for this pod", next);
        decisions.decide(key, decided.of(new RecordedDecision.Held(hold)));
    }
}
