package dev.holdfast.policies.engine.violations;

import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.SyncedViews;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.forgive.Postponement;
import java.time.Duration;
import java.time.Instant;

/**
 * Postpones the deadlines of violations after a gap in which changes may have been missed. Unobserved time does not
 * count towards the forgiveness (how long a violation must last before it leads to an eviction).
 */
public final class GapPostponement {
    private final Readiness readiness;
    private final SyncedViews views;
    private final ViolationBook book;

    public GapPostponement(Readiness readiness, ViolationBook book) {
        this.readiness = readiness;
        this.views = readiness.views();
        this.book = book;
    }

    /**
     * Postpones the deadlines of all violations if the views have just become synced again after a gap in observation.
     */
    public void close(Instant now) {
        views.endedGap().ifPresent(gap -> {
            if (Duration.between(gap, now).compareTo(Postponement.LONGEST_GAP) > 0) {
                readiness.watchAgain(now);
            }
            readiness.gapEnded(now);
            book.postponeAll(Postponement.byGap(gap, now), now);
        });
    }
}
