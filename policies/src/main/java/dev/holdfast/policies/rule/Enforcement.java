package dev.holdfast.policies.rule;

import java.time.Duration;

/**
 * How one policy enforces one rule.
 *
 * @param mode AUDIT or ENFORCE; a policy does not request a rule whose mode is OFF
 * @param forgiveness how long a violation must last without interruption before it is due; not negative
 * @param victim the pods to move; LOWEST_PRIORITY only for anti-affinity rules of a ClusterPlacementPolicy
 */
public record Enforcement(
        Mode mode,
        Duration forgiveness,
        WhenInfeasible whenInfeasible,
        WhenDomainAdded whenDomainAdded,
        VictimChoice victim) {
    /** An enforcement that moves the rule owner. */
    public Enforcement(
            Mode mode, Duration forgiveness, WhenInfeasible whenInfeasible, WhenDomainAdded whenDomainAdded) {
        this(mode, forgiveness, whenInfeasible, whenDomainAdded, VictimChoice.RULE_OWNER);
    }

    /** An enforcement that moves the rule owner and moves no pod because of a new domain. */
    public Enforcement(Mode mode, Duration forgiveness, WhenInfeasible whenInfeasible) {
        this(mode, forgiveness, whenInfeasible, WhenDomainAdded.HOLD);
    }

    /**
     * {@return whether this enforcement allows an eviction that the other does not: any at all, one that is due sooner,
     * one without a feasible node, one for a new domain, or one of another victim}
     */
    public boolean isWiderThan(Enforcement other) {
        return mode.compareTo(other.mode) > 0
                || forgiveness.compareTo(other.forgiveness) < 0
                || whenInfeasible.isWiderThan(other.whenInfeasible)
                || whenDomainAdded.compareTo(other.whenDomainAdded) > 0
                || victim != other.victim;
    }
}
