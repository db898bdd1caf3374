package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.selector.LabelMatcher;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The disruption controls of one policy: when it may evict pods, how many, and which pods it leaves alone.
 *
 * @param maintenanceWindows when the policy may evict and when it may not; empty means that it always may
 * @param exceptions the pods that the policy does not evict
 * @param allowed reasons that usually hold a pod, but not for this policy; a subset of {@link #LIFTABLE}
 * @param trusted namespaces whose pods may cause an eviction, in addition to those that the rule names; absent if there
 *     are none
 * @param overrides whether annotations may keep a pod from being evicted or lengthen the forgiveness, and how long at
 *     most
 * @param limits how many pods the policy may evict at once and within an hour
 */
public record DisruptionControls(
        List<MaintenanceWindow> maintenanceWindows,
        List<StandingException> exceptions,
        Set<Reason> allowed,
        Optional<LabelMatcher> trusted,
        PodOverrides overrides,
        PolicyLimits limits) {
    /** The reasons that usually hold a pod, but not if the policy lists them as allowed. */
    public static final Set<Reason> LIFTABLE = Set.of(
            Reason.RUNS_TO_COMPLETION,
            Reason.LOCAL_STORAGE,
            Reason.TOO_FEW_REPLICAS,
            Reason.FOREIGN_SCHEDULER,
            Reason.UNKNOWN_CONTROLLER,
            Reason.REPLACEMENT_REFUSED,
            Reason.HAS_EVICTION_RESPONDER);

    private static final DisruptionControls PLAIN = new DisruptionControls(
            List.of(), List.of(), Set.of(), Optional.empty(), PodOverrides.all(), PolicyLimits.none());

    public DisruptionControls {
        maintenanceWindows = List.copyOf(maintenanceWindows);
        exceptions = List.copyOf(exceptions);
        allowed = Set.copyOf(allowed);
    }

    /** {@return controls that honor all annotations and have no windows, exceptions, limits or allowed reasons} */
    public static DisruptionControls plain() {
        return PLAIN;
    }

    /** {@return whether the policy trusts the namespace; one without a Namespace object counts as without labels} */
    public boolean trusts(String namespace, ClusterView view) {
        return trusted.filter(selector -> selector.matches(
                        view.namespace(namespace).map(Namespace::labels).orElse(Labels.none())))
                .isPresent();
    }

    /**
     * {@return whether these controls may allow an eviction that the other controls do not} If an edit of a policy
     * makes its controls wider, the forgiveness of its violations starts again.
     */
    public boolean isWiderThan(DisruptionControls other) {
        return !other.allowed.containsAll(allowed)
                || (trusted.isPresent() && !trusted.equals(other.trusted))
                || limits.minReplicas() < other.limits.minReplicas()
                || limits.maxUnavailable().isWiderThan(other.limits.maxUnavailable())
                || !other.exceptions.stream()
                        .allMatch(before -> exceptions.stream().anyMatch(before::holdsAs))
                || overrides.isWiderThan(other.overrides)
                || (limits.allowAny() && !other.limits.allowAny())
                || MaintenanceWindow.openMore(maintenanceWindows, other.maintenanceWindows);
    }

    /**
     * An exception of a policy: pods that it does not evict, for some time or permanently.
     *
     * @param name the name of the exception, unique in the policy
     * @param pods selects the pods by their labels
     * @param until when the exception ends; absent if it never does
     * @param reason the reason that the user gave
     */
    public record StandingException(String name, LabelMatcher pods, Optional<Instant> until, String reason) {
        /** {@return whether this exception holds the same pods as the other one, whatever their names} */
        boolean holdsAs(StandingException other) {
            return pods.equals(other.pods) && until.equals(other.until) && reason.equals(other.reason);
        }

        /** {@return whether the exception has ended for certain, at an instant of the engine's clock} */
        public boolean isOver(WallClock wallClock, Instant now) {
            return until.filter(end -> wallClock.hasPassed(end, now)).isPresent();
        }
    }
}
