package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether this replica may evict: its views are synced, it leads, its verdicts are trusted and the mode ceiling allows
 * it.
 */
public final class Readiness {
    private final PlanSchedule schedule;
    private final SyncedViews views = new SyncedViews();

    private boolean complete;
    private boolean leading;
    private String whyNotLeading = "no replica has taken the lease yet";

    /** Until the replica has checked its permissions, it must not evict. */
    private Mode ceiling = Mode.AUDIT;

    /** Since when this replica leads with a ceiling at least this high. */
    private Instant enforcingSince = Instant.EPOCH;

    private Optional<String> distrust = Optional.empty();

    public Readiness(PlanSchedule schedule) {
        this.schedule = schedule;
    }

    public SyncedViews views() {
        return views;
    }

    /** {@return whether all views have synced once, so that verdicts are meaningful} */
    public boolean isComplete() {
        return complete;
    }

    /** Notes that all views were synced once. */
    public void complete() {
        complete = true;
    }

    public boolean isLeading() {
        return leading;
    }

    /** Notes that this replica may act from now on. */
    public void lead(Instant now) {
        leading = true;
        enforcingSince = now;
    }

    /** Notes that this replica must not act any more. */
    public void follow(String why) {
        leading = false;
        whyNotLeading = why;
    }

    /** {@return the mode that no policy exceeds} */
    public Mode ceiling() {
        return ceiling;
    }

    public void cap(Mode newCeiling, Instant now) {
        boolean raised = newCeiling.compareTo(ceiling) > 0;
        ceiling = newCeiling;
        enforcingSince = raised ? now : enforcingSince;
    }

    /**
     * {@return since when this replica may enforce: the forgiveness of an enforced rule counts from then at the
     * earliest}
     */
    Instant enforcingSince() {
        return enforcingSince;
    }

    /** Stops all evictions of this process: the index and {@code evaluate} disagree. */
    public void distrust(String difference) {
        if (distrust.isEmpty()) {
            distrust = Optional.of(difference);
            schedule.invalidate();
        }
    }

    /** {@return the first difference found between the two evaluators} */
    public Optional<String> distrust() {
        return distrust;
    }

    /** {@return why this replica must not act on any violation} */
    public Optional<Hold> holdOfAll() {
        if (distrust.isPresent()) {
            return Optional.of(Hold.untilChange(
                    Reason.VERDICTS_DIFFER,
                    "two evaluations of the same rule disagree, so neither is trusted: " + distrust.get()));
        }
        return views.all()
                ? Optional.empty()
                : Optional.of(Hold.untilChange(Reason.VIEW_NOT_SYNCED, views.firstMissing()));
    }

    /** {@return why this replica must not enforce; another one may} */
    public Optional<Hold> holdOfEnforced() {
        return leading ? Optional.empty() : Optional.of(Hold.untilChange(Reason.NOT_LEADER, whyNotLeading));
    }
}
