package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.engine.protocol.BrakeId;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Postponement;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;

/**
 * Whether this replica may evict: its views are synced, it leads, its verdicts are trusted and the mode ceiling allows
 * it.
 */
public final class Readiness {
    private final PlanSchedule schedule;
    private final BreakerSettings settings;
    private final ChangeCounter changes;
    private final SyncedViews views = new SyncedViews();

    /**
     * How long this replica must have watched before it acts, even if a policy forgives nothing. Otherwise a policy
     * without forgiveness would evict at once what a starting replica sees first.
     */
    private static final Duration LEAST_WATCH = Duration.ofSeconds(30);

    private static final int MOST_GAPS = 50;

    private static final String FAILED_CHECK = "verdicts";

    /** For how long policies may be unable to enforce before they count as newly enforced. */
    private static final Duration DIP = Duration.ofMinutes(5);

    private boolean complete;
    private Instant watchingSince = Instant.EPOCH;
    private boolean leading;
    private String whyNotLeading = "no replica has taken the lease yet";

    /**
     * The mode ceiling (the strongest mode in which any policy acts): AUDIT until the replica has checked its
     * permissions.
     */
    private Mode ceiling = Mode.AUDIT;

    private boolean ceilingKnown;

    /** When the mode ceiling last fell from Enforce; absent if it never did. */
    private Optional<Instant> enforcedUntil = Optional.empty();

    /**
     * Since when this replica may enforce rules: when it last became the leader or, if later, when its mode ceiling was
     * last raised.
     */
    private Instant enforcingSince = Instant.EPOCH;

    /** When the last gap ended in which changes may have been missed. */
    private Instant gaplessSince = Instant.EPOCH;

    /** When this replica last stopped leading. */
    private Instant followingSince = Instant.EPOCH;

    /** The times without a leader since {@link #enforcingSince}, oldest first; at most {@value #MOST_GAPS}. */
    private final Deque<Gap> gaps = new ArrayDeque<>();

    private record Gap(Instant end, Postponement postponement) {}

    private Optional<RememberedBrakes.Opening> failedCheck = Optional.empty();
    private WallClock wallClock = WallClock.notCompared();

    /** @param changes counts the changes of everything that the ledger stores */
    public Readiness(PlanSchedule schedule, BreakerSettings settings, ChangeCounter changes) {
        this.schedule = schedule;
        this.settings = settings;
        this.changes = changes;
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

    /** {@return since when this replica has watched all views; short gaps do not count} */
    public Instant watchingSince() {
        return watchingSince;
    }

    /**
     * Records that all views are synced again after a time, maybe a short one, in which changes may have been missed.
     */
    public void gapEnded(Instant now) {
        gaplessSince = now;
    }

    /** {@return since when this replica has watched all views without any gap} */
    public Instant gaplessSince() {
        return gaplessSince.isAfter(watchingSince) ? gaplessSince : watchingSince;
    }

    /** {@return the earliest possible deadline of a violation: 30 s after this replica began to watch} */
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
     * Records that this replica is the leader again, and that no other replica led meanwhile. This replica knows its
     * own moves, so no time is lost.
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

    /** {@return whether this replica has checked its permissions, so that the mode ceiling is known} */
    public boolean isCeilingKnown() {
        return ceilingKnown;
    }

    /**
     * Sets the mode ceiling.
     *
     * @param known whether this is the answer to the check; false while the check has no answer yet
     */
    public void cap(Mode newCeiling, boolean known, Instant now) {
        if (ceilingKnown && ceiling == Mode.ENFORCE && newCeiling != Mode.ENFORCE) {
            enforcedUntil = Optional.of(now);
        }
        ceilingKnown = known;
        boolean raised = newCeiling.compareTo(ceiling) > 0;
        ceiling = newCeiling;
        changes.changed();
        enforcingSince = raised ? now : enforcingSince;
    }

    /**
     * {@return until when policies count as enforced although the mode ceiling fell a few minutes ago; empty if it fell
     * earlier, or never}
     */
    public Optional<Instant> dipsUntil(Instant now) {
        return enforcedUntil.map(end -> end.plus(DIP)).filter(now::isBefore);
    }

    /**
     * {@return since when this replica may enforce: the forgiveness of an enforced rule counts from then at the
     * earliest}
     */
    public Instant enforcingSince() {
        return enforcingSince;
    }

    /**
     * Records that each clock has its own beginning from now on, whenever this replica became the leader: the ledger
     * shows what earlier leaders observed.
     */
    void recalled() {
        enforcingSince = Instant.EPOCH;
        gaps.clear();
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
     * Stops all evictions until a user acknowledges that, because a check of the operator against itself failed: two
     * evaluations of a rule disagree, or a cached object is not as the API server has it. A restart changes nothing.
     *
     * @param difference what differs, as text
     */
    public void distrust(String difference, Instant now) {
        if (failedCheck.isEmpty()) {
            failedCheck = Optional.of(new RememberedBrakes.Opening(BrakeId.of(FAILED_CHECK, now), difference));
            changes.changed();
            schedule.invalidate();
        }
    }

    /**
     * Trusts verdicts again if a user has acknowledged that they differed.
     *
     * @param ids the ids that users have acknowledged
     * @return whether the acknowledged ids ended the distrust
     */
    public boolean acknowledge(Set<String> ids) {
        boolean ends = failedCheck.filter(it -> ids.contains(it.id())).isPresent();
        if (ends) {
            failedCheck = Optional.empty();
            changes.changed();
            schedule.invalidate();
        }
        return ends;
    }

    /** {@return the failed check of verdicts, for the next process of the operator} */
    public Optional<RememberedBrakes.Opening> failedCheck() {
        return failedCheck;
    }

    /**
     * Takes over the failed check of an earlier process, whose id users know. Such a check of this process stays.
     */
    public void recall(Optional<RememberedBrakes.Opening> remembered) {
        failedCheck = remembered.or(() -> failedCheck);
    }

    /** Sets the wall clock as it was last read, and whether the API server's clock agrees with it. */
    public void read(WallClock newest) {
        wallClock = newest;
    }

    /** {@return the wall clock, which windows, pauses and expiry times follow} */
    public WallClock wallClock() {
        return wallClock;
    }

    /** {@return the first difference that a check of the operator against itself found; empty if there was none} */
    public Optional<String> distrust() {
        return failedCheck.map(RememberedBrakes.Opening::message);
    }

    /**
     * {@return the hold of all violations: a view is not synced, or a check of the operator against itself failed;
     * empty if neither is the case}
     */
    public Optional<Hold> holdOfAll() {
        if (failedCheck.isPresent()) {
            String message = "a check of the operator against itself failed, so no verdict is trusted";
            String full = message + ": " + failedCheck.get().message()
                    + ". Please report this bug. No pod is evicted until you acknowledge the failed check: "
                    + BrakeId.acknowledging(failedCheck.get().id(), settings);
            return Optional.of(Hold.untilChange(Reason.VERDICTS_DIFFER, full).redacted(message));
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
