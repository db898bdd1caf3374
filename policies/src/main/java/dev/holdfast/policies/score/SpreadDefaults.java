package dev.holdfast.policies.score;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The soft spread constraints that the scheduler gives to a pod without any of its own: {@code defaultConstraints}.
 *
 * @param constraints without selectors, which {@code selectors} has
 * @param everyNode whether nodes without a key of the constraints count too, as only with the system defaults
 */
public record SpreadDefaults(
        List<TopologySpreadConstraint> constraints, boolean everyNode, WorkloadSelectors selectors) {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final int HOSTNAME_SKEW = 3;
    private static final int ZONE_SKEW = 5;
    private static final SpreadDefaults NONE = new SpreadDefaults(List.of(), false, new WorkloadSelectors() {
        @Override
        public Collection<Labels> ofServicesIn(String namespace) {
            return List.of();
        }

        @Override
        public Optional<LabelSelector> ofController(String namespace, Controller controller) {
            return Optional.empty();
        }
    });

    public SpreadDefaults {
        constraints = List.copyOf(constraints);
    }

    /** {@return no constraints: {@code defaultingType: List} with an empty list} */
    public static SpreadDefaults none() {
        return NONE;
    }

    /** {@return the constraints of a scheduler whose configuration has none: {@code defaultingType: System}} */
    public static SpreadDefaults ofSystem(WorkloadSelectors selectors) {
        return new SpreadDefaults(
                List.of(constraint(HOSTNAME_SKEW, PodAffinityTerm.HOSTNAME), constraint(ZONE_SKEW, ZONE)),
                true,
                selectors);
    }

    /** {@return the soft constraints in the configuration of the scheduler: {@code defaultingType: List}} */
    public static SpreadDefaults ofList(List<TopologySpreadConstraint> constraints, WorkloadSelectors selectors) {
        return new SpreadDefaults(constraints, false, selectors);
    }

    private static TopologySpreadConstraint constraint(int maxSkew, String topologyKey) {
        return new TopologySpreadConstraint(
                maxSkew,
                topologyKey,
                Optional.empty(),
                1,
                NodeInclusionPolicy.HONOR,
                NodeInclusionPolicy.IGNORE,
                List.of());
    }

    /** {@return the soft constraints of a pod: its own, or these if it has neither soft nor hard ones (SC-PTS-1)} */
    public List<TopologySpreadConstraint> softConstraintsOf(Pod pod) {
        return haveEffectOn(pod)
                ? constraintsFor(pod)
                : pod.scheduling().preferences().topologySpread();
    }

    /** {@return whether the pod has no constraint of its own} */
    public boolean haveEffectOn(Pod pod) {
        return pod.scheduling().preferences().topologySpread().isEmpty()
                && pod.scheduling().topologySpread().isEmpty();
    }

    private List<TopologySpreadConstraint> constraintsFor(Pod pod) {
        if (constraints.isEmpty()) {
            return List.of();
        }
        LabelSelector selector = selectors.selectorFor(pod);
        return selector.isEmpty()
                ? List.of()
                : constraints.stream().map(it -> selecting(it, selector)).toList();
    }

    private static TopologySpreadConstraint selecting(TopologySpreadConstraint constraint, LabelSelector selector) {
        return new TopologySpreadConstraint(
                constraint.maxSkew(),
                constraint.topologyKey(),
                Optional.of(selector),
                constraint.minDomains(),
                constraint.nodeAffinityPolicy(),
                constraint.nodeTaintsPolicy(),
                List.of());
    }
}
