package dev.holdfast.policies.rule;

import java.time.Duration;

/**
 * The settings with which one policy enforces one rule.
 *
 * @param mode AUDIT or ENFORCE; a policy does not request a rule whose mode is DISABLED
 * @param forgiveness how long a violation must last without interruption before it is due; not negative
 * @param whenInfeasible what happens to a due violation while no other node would take the pod
 * @param whenDomainAdded what happens if only a new domain breaks a spread rule; other kinds of rules ignore it
 * @param victim which pods are moved; LOWEST_PRIORITY only for anti-affinity rules of a ClusterPlacementPolicy
 * @param whenRequired whether the rule holds only where a node can satisfy it; then whenInfeasible is WAIT
 */
public record Enforcement(
        Mode mode,
        Duration forgiveness,
        WhenInfeasible whenInfeasible,
        WhenDomainAdded whenDomainAdded,
        VictimChoice victim,
        WhenRequired whenRequired) {
    /** Creates an enforcement of a rule that is always required. */
    public Enforcement(
            Mode mode,
            Duration forgiveness,
            WhenInfeasible whenInfeasible,
            WhenDomainAdded whenDomainAdded,
            VictimChoice victim) {
        this(mode, forgiveness, whenInfeasible, whenDomainAdded, victim, WhenRequired.ALWAYS);
    }

    /** Creates an enforcement whose victim is always the rule owner. */
    public Enforcement(
            Mode mode, Duration forgiveness, WhenInfeasible whenInfeasible, WhenDomainAdded whenDomainAdded) {
        this(mode, forgiveness, whenInfeasible, whenDomainAdded, VictimChoice.RULE_OWNER);
    }

    /**
     * Creates an enforcement whose victim is always the rule owner. A violation that only a new domain causes is held.
     */
    public Enforcement(Mode mode, Duration forgiveness, WhenInfeasible whenInfeasible) {
        this(mode, forgiveness, whenInfeasible, WhenDomainAdded.HOLD);
    }

    /** {@return the same enforcement in another mode} */
    public Enforcement in(Mode other) {
        return new Enforcement(other, forgiveness, whenInfeasible, whenDomainAdded, victim, whenRequired);
    }

    /**
     * {@return whether this enforcement allows an eviction that {@code other} does not}
     *
     * <p>True with a stronger mode, a shorter forgiveness or another victim. Also true if only this enforcement moves
     * pods because of a new domain, or if it evicts sooner while no other node would take the pod.
     */
    public boolean isWiderThan(Enforcement other) {
        return mode.compareTo(other.mode) > 0
                || forgiveness.compareTo(other.forgiveness) < 0
                || whenInfeasible.isWiderThan(other.whenInfeasible)
                || whenDomainAdded.compareTo(other.whenDomainAdded) > 0
                || victim != other.victim;
    }
}
