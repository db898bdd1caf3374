package dev.holdfast.policies.rule;

import java.time.Duration;

/**
 * How one policy wants one rule kept.
 *
 * @param mode never OFF: a rule that is off is not asked for
 * @param forgiveness how long a violation must last without interruption before anything is done; not negative
 */
public record Enforcement(Mode mode, Duration forgiveness, WhenInfeasible whenInfeasible) {
    /** {@return whether this allows what the other does not: to evict at all, sooner, or with nowhere to go} */
    public boolean goesFurtherThan(Enforcement other) {
        return mode.compareTo(other.mode) > 0
                || forgiveness.compareTo(other.forgiveness) < 0
                || whenInfeasible.goesFurtherThan(other.whenInfeasible);
    }
}
