package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.memory.Readiness;
import dev.holdfast.policies.engine.memory.SyncedViews;
import dev.holdfast.policies.engine.memory.ViolationBook;
import java.time.Duration;
import java.time.Instant;

/**
 * Postpones the deadlines of violations after a gap in which changes may have been missed. Unobserved time does not
 * count towards the forgiveness (how long a violation must last before it leads to an eviction).
 */
final class GapPostponement {
    /**
     * The longest gap that only postpones the deadline. After a longer gap, or one longer than a tenth of the
     * forgiveness, the whole forgiveness starts again.
     */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final int SHARE = 10;

    private final Readiness readiness;
    private final SyncedViews views;
    private final ViolationBook book;

    GapPostponement(Readiness readiness, ViolationBook book) {
        this.readiness = readiness;
        this.views = readiness.views();
        this.book = book;
    }

    /**
     * Postpones the deadlines of all violations if the views have just become synced again after a gap in observation.
     */
    void close(Instant now) {
        views.endedGap().ifPresent(gap -> {
            if (Duration.between(gap, now).compareTo(LONGEST) > 0) {
                readiness.watchAgain(now);
            }
            book.postponeAll((forgiveness, from) -> later(forgiveness, from, gap, now));
        });
    }

    /**
     * {@return the instant from which the forgiveness counts after a gap} After a short gap, that is {@code from} plus
     * the length of the gap. After a long gap it is {@code now}, so that the time before the gap does not count either.
     *
     * @param from the instant from which the forgiveness counted before the gap
     * @param gap when the gap began
     */
    private static Instant later(Duration forgiveness, Instant from, Instant gap, Instant now) {
        Duration length = Duration.between(gap, now);
        Duration share = forgiveness.dividedBy(SHARE);
        boolean tooLong = length.compareTo(LONGEST) > 0 || length.compareTo(share) > 0;
        Instant later = from.plus(length);
        return tooLong || later.isAfter(now) ? now : later;
    }
}
