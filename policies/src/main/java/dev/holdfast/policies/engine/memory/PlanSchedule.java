package dev.holdfast.policies.engine.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Decides when to plan. A burst of changes leads to one plan, and large plans are made less often. */
public final class PlanSchedule {
    /**
     * The minimum time between two plans if a change caused the second one: one plan then covers a burst of changes.
     */
    private static final Duration CALM = Duration.ofMillis(200);

    /**
     * For each 250 violations in a plan, the next plan waits one {@link #CALM} longer: after 500 violations, 600 ms.
     */
    private static final int DUE_PER_CALM = 250;

    private Duration calm = CALM;
    private Instant last = Instant.EPOCH;
    private Optional<Instant> next = Optional.empty();

    /** Whether something changed since the last plan that may change the decisions. */
    private boolean stale = true;

    /** Requests a new plan, because something changed that may change the decisions. */
    public void invalidate() {
        stale = true;
    }

    /** Schedules a plan at this instant or earlier. */
    public void planBy(Instant at) {
        if (next.isEmpty() || at.isBefore(next.get())) {
            next = Optional.of(at);
        }
    }

    /** Computes the time of the next plan, and returns whether it has come. If not, {@link #next} returns that time. */
    public boolean isDue(Instant now) {
        if (stale) {
            planBy(last.plus(calm));
        }
        if (next.isEmpty()) {
            return false;
        }
        // A plan starts exactly at its deadline, unless plans with many due violations could run back to back.
        Instant soonest = calm.equals(CALM) ? last : last.plus(CALM);
        if (next.get().isBefore(soonest)) {
            next = Optional.of(soonest);
        }
        return !now.isBefore(next.get());
    }

    /** Records that a plan is made now. */
    public void begin(Instant now) {
        last = now;
        next = Optional.empty();
        stale = false;
    }

    /**
     * Sets the minimum time until the next plan: the more violations this plan considers, the longer.
     *
     * @param planned the number of violations that this plan considers
     */
    public void pace(int planned) {
        calm = CALM.multipliedBy(1 + planned / DUE_PER_CALM);
    }

    /** Schedules another plan as soon as the minimum time between plans allows, and returns that time. */
    public Instant planAgain(Instant now) {
        Instant at = now.plus(calm);
        planBy(at);
        return at;
    }

    /** {@return the time of the next plan, as far as is known now; empty if none is scheduled} */
    public Optional<Instant> next() {
        return next;
    }
}
