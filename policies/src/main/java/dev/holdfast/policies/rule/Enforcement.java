package dev.holdfast.policies.rule;

import java.time.Duration;

/**
 * How one policy wants one rule kept.
 *
 * @param mode never OFF: a rule that is off is not asked for
 * @param forgiveness how long a violation must last without interruption before anything is done; not negative
 * @param victim for anti-affinity that a cluster policy brings; the rule owner for all other rules
 */
public record Enforcement(
        Mode mode,
        Duration forgiveness,
        WhenInfeasible whenInfeasible,
        WhenDomainAdded whenDomainAdded,
        VictimChoice victim) {
    /** One for which the rule owner goes. */
    public Enforcement(
            Mode mode, Duration forgiveness, WhenInfeasible whenInfeasible, WhenDomainAdded whenDomainAdded) {
        this(mode, forgiveness, whenInfeasible, whenDomainAdded, VictimChoice.RULE_OWNER);
    }

    /** One for which new domains move nobody, and the rule owner goes. */
    public Enforcement(Mode mode, Duration forgiveness, WhenInfeasible whenInfeasible) {
        this(mode, forgiveness, whenInfeasible, WhenDomainAdded.HOLD);
    }

    /**
     * {@return whether this allows what the other does not: to evict at all, sooner, with nowhere to go, for a new domain,
     * or somebody else}
     */
    public boolean goesFurtherThan(Enforcement other) {
        return mode.compareTo(other.mode) > 0
                || forgiveness.compareTo(other.forgiveness) < 0
                || whenInfeasible.goesFurtherThan(other.whenInfeasible)
                || whenDomainAdded.compareTo(other.whenDomainAdded) > 0
                || victim != other.victim;
    }
}
