package dev.holdfast.policies.testing;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.selector.LabelMatcher;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Builds the disruption controls of a policy by the names of their fields. At first they restrict nothing. */
public final class ControlsDraft {
    private List<MaintenanceWindow> windows = List.of();
    private List<DisruptionControls.StandingException> exceptions = List.of();
    private Set<Reason> allowed = Set.of();
    private Optional<LabelMatcher> trusted = Optional.empty();
    private PodOverrides overrides = PodOverrides.all();
    private PolicyLimits limits = PolicyLimits.none();

    private ControlsDraft() {}

    public static ControlsDraft plain() {
        return new ControlsDraft();
    }

    public ControlsDraft windows(List<MaintenanceWindow> all) {
        windows = all;
        return this;
    }

    public ControlsDraft exceptions(List<DisruptionControls.StandingException> all) {
        exceptions = all;
        return this;
    }

    public ControlsDraft allowed(Set<Reason> reasons) {
        allowed = reasons;
        return this;
    }

    public ControlsDraft trusting(LabelMatcher namespaces) {
        trusted = Optional.of(namespaces);
        return this;
    }

    public ControlsDraft overrides(PodOverrides honored) {
        overrides = honored;
        return this;
    }

    public ControlsDraft limits(PolicyLimits all) {
        limits = all;
        return this;
    }

    public ControlsDraft concurrent(int moves) {
        return limited(OptionalInt.of(moves), limits.perHour(), limits.minReplicas(), limits.maxUnavailable());
    }

    public ControlsDraft perHour(int evictions) {
        return limited(limits.concurrent(), OptionalInt.of(evictions), limits.minReplicas(), limits.maxUnavailable());
    }

    public ControlsDraft minReplicas(int ready) {
        return limited(limits.concurrent(), limits.perHour(), ready, limits.maxUnavailable());
    }

    public ControlsDraft maxUnavailable(MaxUnavailable most) {
        return limited(limits.concurrent(), limits.perHour(), limits.minReplicas(), most);
    }

    private ControlsDraft limited(
            OptionalInt concurrent, OptionalInt perHour, int minReplicas, MaxUnavailable maxUnavailable) {
        return limits(new PolicyLimits(
                concurrent,
                perHour,
                minReplicas,
                limits.workloadConcurrent(),
                limits.workloadPerHour(),
                maxUnavailable));
    }

    public DisruptionControls controls() {
        return new DisruptionControls(windows, exceptions, allowed, trusted, overrides, limits);
    }
}
