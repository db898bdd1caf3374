package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.selector.LabelMatcher;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How one policy lets pods be moved that break rules it enforces: when, how many, and which not.
 *
 * @param exceptions pods that stay where they are
 * @param allowed the reasons to hold that it lifts: some of {@link #LIFTABLE}
 * @param trusted namespaces whose pods may cost a rule owner its place beside those the rule asks for; absent is none
 * @param overrides what it makes of annotations that ask to keep or forgive a pod
 */
public record DisruptionControls(
        List<MaintenanceWindow> maintenanceWindows,
        List<StandingException> exceptions,
        Set<Reason> allowed,
        Optional<LabelMatcher> trusted,
        PodOverrides overrides,
        PolicyLimits limits) {
    /** The reasons that a policy may lift by name. */
    public static final Set<Reason> LIFTABLE =
            Set.of(Reason.RUNS_TO_COMPLETION, Reason.LOCAL_STORAGE, Reason.TOO_FEW_REPLICAS);

    private static final DisruptionControls PLAIN = new DisruptionControls(
            List.of(), List.of(), Set.of(), Optional.empty(), PodOverrides.all(), PolicyLimits.none());

    public DisruptionControls {
        maintenanceWindows = List.copyOf(maintenanceWindows);
        exceptions = List.copyOf(exceptions);
        allowed = Set.copyOf(allowed);
    }

    /** {@return at any time, no limits of its own, and no reason lifted} */
    public static DisruptionControls plain() {
        return PLAIN;
    }

    /** {@return whether this may let more be evicted than the other: for that, forgiveness begins anew} */
    public boolean goesFurtherThan(DisruptionControls other) {
        return !other.allowed.containsAll(allowed)
                || (trusted.isPresent() && !trusted.equals(other.trusted))
                || limits.minReplicas() < other.limits.minReplicas()
                || !exceptions.containsAll(other.exceptions)
                || overrides.goesFurtherThan(other.overrides)
                || MaintenanceWindow.openMore(maintenanceWindows, other.maintenanceWindows);
    }

    /**
     * Pods that a policy leaves alone for a while.
     *
     * @param until when it ends; absent is never
     * @param reason why, as the user wrote it
     */
    public record StandingException(LabelMatcher pods, Optional<Instant> until, String reason) {
        public boolean isOver(Instant now) {
            return until.filter(end -> !now.isBefore(end)).isPresent();
        }
    }
}
