package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.protocol.BrakeId;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;

/**
 * One opening of a breaker, which stops evictions until the breaker closes.
 *
 * @param id the printable id with which users acknowledge this opening
 * @param message for users: what the breaker found, and how to acknowledge the opening
 */
public record BreakerOpening(String id, String message) {
    /** The largest error of a remembered instant. */
    static final Duration INEXACT = Ledger.INEXACT;

    private static final String RESUMING =
            "evictions resume with one in ten minutes, then twice as many in the next ten";

    /** {@return the opening that an earlier process of the operator remembered} */
    static BreakerOpening of(RememberedBrakes.Opening remembered) {
        return new BreakerOpening(remembered.id(), remembered.message());
    }

    /**
     * {@return whether the breaker opened after an instant, or less than 4 s before: the clocks of two processes are
     * compared to a second} The id has the time.
     */
    boolean isAfter(Instant instant) {
        return BrakeId.openedAt(id).isAfter(instant.minus(INEXACT));
    }

    RememberedBrakes.Opening remembered() {
        return new RememberedBrakes.Opening(id, message);
    }

    /** {@return the hold of every violation that the open breaker applies to} */
    Hold hold(Reason breaker) {
        return Hold.untilChange(breaker, message);
    }

    /** {@return the report that the breaker opened} */
    BreakerReport opened(Reason breaker, BreakerScope scope) {
        return new BreakerReport(breaker, id, scope, BrakeReport.Change.OPENED, message);
    }

    /** {@return the report that the breaker is open, for a replica that begins to lead} */
    BreakerReport takenOver(Reason breaker, BreakerScope scope) {
        return new BreakerReport(breaker, id, scope, BrakeReport.Change.TAKEN_OVER, message);
    }

    /** {@return the report that the breaker closed, with the pace at which evictions resume} */
    BreakerReport closed(Reason breaker, BreakerScope scope, BrakeReport.Change change, String why) {
        return new BreakerReport(breaker, id, scope, change, why + "; " + resuming(change));
    }

    /** {@return the report that the outcome breaker closed: the slow start alone decides the pace from then on} */
    BreakerReport closedBySlowStart(Reason breaker, BreakerScope scope, BrakeReport.Change change, String why) {
        return new BreakerReport(
                breaker,
                id,
                scope,
                change,
                why + "; evictions resume slowly, and each replacement that becomes Ready allows one more");
    }

    private static String resuming(BrakeReport.Change change) {
        return change == BrakeReport.Change.HEALED ? "after ten quiet minutes " + RESUMING : RESUMING;
    }
}
