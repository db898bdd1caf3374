package dev.holdfast.policies.forgive;

import java.time.Duration;
import java.time.Instant;

/**
 * Computes the instant from which a forgiveness counts. Times in which the operator could not watch the cluster, or did
 * not lead, postpone this instant.
 */
@FunctionalInterface
public interface Postponement {
    /** {@return the new instant from which the forgiveness counts, given the one from which it counted} */
    Instant of(Duration forgiveness, Instant from);

    /**
     * The longest gap that only postpones the deadline. After a longer gap, or one longer than a tenth of the
     * forgiveness, the whole forgiveness starts again.
     */
    Duration LONGEST_GAP = Duration.ofSeconds(30);

    /**
     * {@return the postponement for a gap that does not count towards any forgiveness} After a short gap, the
     * forgiveness counts from its old start plus the length of the gap. After a long gap, the forgiveness counts from
     * the end of the gap, so that the time before the gap does not count either. A later forgiveness stays.
     *
     * <p>Example: with a forgiveness of 300 s and a gap of 20 s, a violation is due 20 s later. With a gap of 31 s, the
     * violation is due 300 s after the gap.
     */
    static Postponement byGap(Instant start, Instant end) {
        Duration length = Duration.between(start, end);
        return (forgiveness, from) -> {
            if (!from.isBefore(end)) {
                return from;
            }
            boolean tooLong = length.compareTo(LONGEST_GAP) > 0 || length.compareTo(forgiveness.dividedBy(10)) > 0;
            Instant later = from.plus(length);
            return tooLong || later.isAfter(end) ? end : later;
        };
    }
}
