package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.conduct.WallClock;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Whether this replica may evict: its views are synced, it leads, its verdicts are trusted and the mode ceiling allows
 * it.
 */
public final class Readiness {
    private final PlanSchedule schedule;
    private final SyncedViews views = new SyncedViews();

    /**
     * How long this replica must have watched before it acts, even if a policy forgives nothing. Otherwise a policy
     * without forgiveness would evict at once what a starting replica sees first.
     */
    private static final Duration LEAST_WATCH = Duration.ofSeconds(30);

    private static final int MOST_GAPS = 50;

    private boolean complete;
    private Instant watchingSince = Instant.EPOCH;
    private boolean leading;
    private String whyNotLeading = "no replica has taken the lease yet";

    /**
     * The mode ceiling (the strongest mode in which any policy acts): AUDIT until the replica has checked its
     * permissions.
     */
    private Mode ceiling = Mode.AUDIT;

    /**
     * Since when this replica may enforce rules: when it last became the leader or, if later, when its mode ceiling was
     * last raised.
     */
    private Instant enforcingSince = Instant.EPOCH;

    /** When this replica last stopped leading. */
    private Instant followingSince = Instant.EPOCH;

    /** The times without a leader since {@link #enforcingSince}, oldest first; at most {@value #MOST_GAPS}. */
    private final Deque<Gap> gaps = new ArrayDeque<>();

    private record Gap(Instant end, Postponement postponement) {}

    private Optional<String> distrust = Optional.empty();
    private WallClock wallClock = WallClock.notCompared();

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

    /** Records that all views have synced for the first time. */
    public void complete(Instant now) {
        complete = true;
        watchingSince = now;
    }

    /** Records that all views are synced again after a long time in which changes may have been missed. */
    public void watchAgain(Instant now) {
        watchingSince = now;
    }

    /** {@return the earliest deadline of any violation: this replica must have watched for 30 s before it acts} */
    Instant earliestDeadline() {
        return watchingSince.plus(LEAST_WATCH);
    }

    public boolean isLeading() {
        return leading;
    }

    /** Records that this replica is the leader from now on. */
    public void lead(Instant now) {
        leading = true;
        enforcingSince = now;
        gaps.clear();
    }

    /**
     * Records that this replica is the leader again, and that no other replica led meanwhile. What this replica began
     * is known to it, so the time before is not lost.
     */
    public void leadAgain(Instant now) {
        leading = true;
        gaps.addLast(new Gap(now, Postponement.byGap(followingSince, now)));
        if (gaps.size() > MOST_GAPS) {
            enforcingSince = gaps.removeFirst().end();
        }
    }

    /** Records that this replica is no longer the leader, since an instant in the past. */
    public void follow(String why, Instant since, Instant now) {
        leading = false;
        whyNotLeading = why;
        followingSince = since.isBefore(now) ? since : now;
    }

    /** {@return the mode ceiling: the strongest mode in which any policy acts} */
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

    /** {@return the instant from which the forgiveness of an enforced rule counts, after the gaps without a leader} */
    Instant afterGaps(Duration forgiveness, Instant from) {
        Instant later = from;
        for (Gap gap : gaps) {
            later = gap.postponement().of(forgiveness, later);
        }
        return later;
    }

    /**
     * Stops all evictions of this process, because the incremental index and the reference evaluators disagree.
     *
     * @param difference what they disagree about, as text
     */
    public void distrust(String difference) {
        if (distrust.isEmpty()) {
            distrust = Optional.of(difference);
            schedule.invalidate();
        }
    }

    /** Sets the wall clock as it was last read, and whether the API server's clock agrees with it. */
    public void read(WallClock newest) {
        wallClock = newest;
    }

    /** {@return the wall clock, which windows, pauses and expiry times follow} */
    public WallClock wallClock() {
        return wallClock;
    }

    /** {@return the first difference found between the index and the reference evaluators; empty if none was found} */
    public Optional<String> distrust() {
        return distrust;
    }

    /**
     * {@return the hold of all violations: a view is not synced, or the index and the reference evaluators disagree;
     * empty if neither is the case}
     */
    public Optional<Hold> holdOfAll() {
        if (distrust.isPresent()) {
            String message = "two evaluations of the same rule disagree, so neither is trusted";
            return Optional.of(Hold.untilChange(Reason.VERDICTS_DIFFER, message + ": " + distrust.get())
                    .redacted(message));
        }
        return views.all()
                ? Optional.empty()
                : Optional.of(Hold.untilChange(Reason.VIEW_NOT_SYNCED, views.firstMissing()));
    }

    /** {@return the hold of all violations of enforced rules; empty while this replica is the leader} */
    public Optional<Hold> holdOfEnforced() {
        return leading ? Optional.empty() : Optional.of(Hold.untilChange(Reason.NOT_LEADER, whyNotLeading));
    }
}
