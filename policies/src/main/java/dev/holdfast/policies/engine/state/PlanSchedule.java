package dev.holdfast.policies.engine.state;

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

    /** If the minimum time between plans is longer than this, a deadline waits this long after the last plan. */
    private static final Duration LONG = Duration.ofSeconds(1);

    private Duration calm = CALM;
    private Instant last = Instant.EPOCH;

    /** The earliest instant of a requested plan that waits for the minimum time between plans. */
    private Optional<Instant> requested = Optional.empty();

    /** The next deadline, at which a plan is made even shortly after another plan, unless many violations are due. */
    private Optional<Instant> deadline = Optional.empty();

    /** Whether something changed since the last plan that may change the decisions. */
    private boolean stale = true;

    /** Until when no plan is made, because an awaited input changes all decisions. */
    private Instant awaitedUntil = Instant.EPOCH;

    /** Requests a new plan, because something changed that may change the decisions. */
    public void invalidate() {
        stale = true;
    }

    /**
     * Schedules a plan at this instant or earlier. If the last plan is more recent than the minimum time between plans,
     * the plan waits until that time has passed.
     */
    public void planBy(Instant at) {
        requested = earlier(requested, at);
    }

    /** Schedules a plan at a deadline, which waits for no minimum time between plans unless many violations are due. */
    public void planAt(Instant at) {
        deadline = earlier(deadline, at);
    }

    /** Makes no plan until this instant, or until {@link #resume}: the awaited input changes all decisions. */
    public void awaitUntil(Instant at) {
        awaitedUntil = at;
    }

    /** Makes plans again: the awaited input is there, or will not come. */
    public void resume() {
        awaitedUntil = Instant.EPOCH;
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Instant other) {
        return one.filter(it -> !other.isBefore(it)).isPresent() ? one : Optional.of(other);
    }

    /** {@return whether the time of the next plan has come} If not, {@link #next} returns that time. */
    public boolean isDue(Instant now) {
        return next().filter(at -> !now.isBefore(at)).isPresent();
    }

    /** {@return when the last plan was made; empty before the first one} */
    public Optional<Instant> last() {
        return Optional.of(last).filter(at -> !at.equals(Instant.EPOCH));
    }

    /** Records that a plan is made now. */
    public void begin(Instant now) {
        last = now;
        requested = Optional.empty();
        deadline = Optional.empty();
        stale = false;
    }

    /**
     * Sets the minimum time until the next plan: the more violations are due, the longer.
     *
     * @param planned the number of violations that this plan considers
     * @param standing the number of due violations that keep their hold without a plan; they count half
     */
    public void pace(int planned, int standing) {
        calm = CALM.multipliedBy(1 + (planned + standing / 2) / DUE_PER_CALM);
    }

    /** Schedules another plan as soon as the minimum time between plans allows, and returns that time. */
    public Instant planAgain(Instant now) {
        Instant at = now.plus(calm);
        planBy(at);
        return at;
    }

    /** {@return the time of the next plan, as far as is known now; empty if none is scheduled} */
    public Optional<Instant> next() {
        Instant soonest = last.plus(calm);
        Optional<Instant> calmly = stale ? Optional.of(soonest) : requested.map(at -> later(at, soonest));
        // A plan starts exactly at its deadline, unless plans with many due violations could run back to back.
        Instant soonestOfDeadline = calm.equals(CALM) ? last : last.plus(calm.compareTo(LONG) > 0 ? LONG : CALM);
        Optional<Instant> exactly = deadline.map(at -> later(at, soonestOfDeadline));
        Optional<Instant> next =
                exactly.isPresent() && calmly.isPresent() ? earlier(calmly, exactly.get()) : calmly.or(() -> exactly);
        return next.map(at -> later(at, awaitedUntil));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
