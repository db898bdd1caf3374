package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.engine.memory.SyncedViews;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.forgive.Violation;
import java.time.Duration;
import java.time.Instant;

/** Moves the clocks of violations after a gap in observation, because unobserved time does not count as forgiveness. */
final class ObservationGaps {
    /** A gap longer than this, or than a tenth of the forgiveness, restarts clocks. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final int SHARE = 10;

    private final SyncedViews views;
    private final ViolationBook book;
    private final RequestedRules requested;

    ObservationGaps(SyncedViews views, ViolationBook book, RequestedRules requested) {
        this.views = views;
        this.book = book;
        this.requested = requested;
    }

    /** Moves clocks if a gap is over. */
    void close(Instant now) {
        views.endedGap().ifPresent(gap -> book.postponeAll((violation, from) -> later(violation, from, gap, now)));
    }

    /** A short gap does not count as forgiveness. A longer gap also discards the time observed before it. */
    private Instant later(Violation violation, Instant from, Instant gap, Instant now) {
        Duration length = Duration.between(gap, now);
        Duration share = requested.forgiveness(violation).dividedBy(SHARE);
        boolean tooLong = length.compareTo(LONGEST) > 0 || length.compareTo(share) > 0;
        Instant later = from.plus(length);
        return tooLong || later.isAfter(now) ? now : later;
    }
}
