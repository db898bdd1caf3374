package dev.holdfast.policies.engine.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The schedule of plans. A burst of changes leads to one plan, and large plans are made less often. */
public final class PlanSchedule {
    /** Changes arrive in bursts, and one plan covers all of them. */
    private static final Duration CALM = Duration.ofMillis(200);

    /** For each 250 violations in a plan, the next plan waits for one more {@link #CALM}. */
    private static final int DUE_PER_CALM = 250;

    private Duration calm = CALM;
    private Instant last = Instant.EPOCH;
    private Optional<Instant> next = Optional.empty();

    /** Whether something happened since the last plan that may change it. */
    private boolean stale = true;

    /** Notes that something happened that may change the plan. */
    public void invalidate() {
        stale = true;
    }

    /** Schedules a plan at this instant or earlier. */
    public void planBy(Instant at) {
        if (next.isEmpty() || at.isBefore(next.get())) {
            next = Optional.of(at);
        }
    }

    /** {@return whether to plan now; if not, {@link #next} says when} */
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

    /** Notes that a plan is being made. */
    public void begin(Instant now) {
        last = now;
        next = Optional.empty();
        stale = false;
    }

    /** Sets the pace by the number of violations in the plan that is being made. */
    public void pace(int planned) {
        calm = CALM.multipliedBy(1 + planned / DUE_PER_CALM);
    }

    /** Schedules another plan as soon as the pace allows, and returns that instant. */
    public Instant planAgain(Instant now) {
        Instant at = now.plus(calm);
        planBy(at);
        return at;
    }

    /** {@return when to plan again, as far as is known now} */
    public Optional<Instant> next() {
        return next;
    }
}
