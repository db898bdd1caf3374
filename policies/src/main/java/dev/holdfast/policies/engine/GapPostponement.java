package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.engine.memory.SyncedViews;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.forgive.Violation;
import java.time.Duration;
import java.time.Instant;

/**
 * Postpones the deadlines of violations after a gap in which changes may have been missed, because unobserved time does
 * not count as forgiveness.
 */
final class GapPostponement {
    /**
     * After a gap in observation longer than this, or longer than a tenth of the forgiveness, the whole forgiveness
     * starts again.
     */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final int SHARE = 10;

    private final SyncedViews views;
    private final ViolationBook book;
    private final RequestedRules requested;

    GapPostponement(SyncedViews views, ViolationBook book, RequestedRules requested) {
        this.views = views;
        this.book = book;
        this.requested = requested;
    }

    /** Postpones the deadlines of violations if a gap in observation has ended. */
    void close(Instant now) {
        views.endedGap().ifPresent(gap -> book.postponeAll((violation, from) -> later(violation, from, gap, now)));
    }

    /**
     * {@return the new instant from which the forgiveness counts} After a short gap, it is later by the length of the
     * gap. After a long gap it is now, so that the time before the gap does not count either.
     */
    private Instant later(Violation violation, Instant from, Instant gap, Instant now) {
        Duration length = Duration.between(gap, now);
        Duration share = requested.forgiveness(violation).dividedBy(SHARE);
        boolean tooLong = length.compareTo(LONGEST) > 0 || length.compareTo(share) > 0;
        Instant later = from.plus(length);
        return tooLong || later.isAfter(now) ? now : later;
    }
}
