package dev.holdfast.policies.model;

import java.util.List;
import java.util.Optional;

/**
 * A topology spread constraint as written. Whether it is hard ({@code whenUnsatisfiable: DoNotSchedule}) or soft
 * ({@code ScheduleAnyway}) depends on where it stands: only soft ones are among the {@link Preferences} of a pod.
 *
 * @param maxSkew at least 1
 * @param minDomains at least 1; 1 if the pod sets none
 * @param nodeAffinityPolicy HONOR if the pod sets none
 * @param nodeTaintsPolicy IGNORE if the pod sets none
 * @param matchLabelKeys only pods are counted that have the same values of these label keys as the rule owner has now
 *     (TS-12)
 */
public record TopologySpreadConstraint(
        int maxSkew,
        String topologyKey,
        Optional<LabelSelector> labelSelector,
        int minDomains,
        NodeInclusionPolicy nodeAffinityPolicy,
        NodeInclusionPolicy nodeTaintsPolicy,
        List<String> matchLabelKeys) {
    public TopologySpreadConstraint {
        matchLabelKeys = List.copyOf(matchLabelKeys);
    }

    /** {@return a constraint with the defaults of the Kubernetes API for all other fields} */
    public static TopologySpreadConstraint of(int maxSkew, String topologyKey, LabelSelector labelSelector) {
        return new TopologySpreadConstraint(
                maxSkew,
                topologyKey,
                Optional.of(labelSelector),
                1,
                NodeInclusionPolicy.HONOR,
                NodeInclusionPolicy.IGNORE,
                List.of());
    }

    /**
     * {@return the selector of the pods that are counted for a rule owner with these labels (TS-12)}
     *
     * <p>The selector is {@code labelSelector} with the rule owner's values of {@code matchLabelKeys} added. Keys that
     * the rule owner lacks are skipped.
     */
    public Optional<LabelSelector> selectorFor(Labels labels) {
        return labelSelector.map(written -> {
            LabelSelector selector = written;
            for (String key : matchLabelKeys) {
                Optional<String> value = labels.get(key);
                if (value.isPresent()) {
                    selector = selector.and(new Requirement(key, "In", List.of(value.get())));
                }
            }
            return selector;
        });
    }

    /**
     * {@return whether a constraint of a pod's spec is this constraint} When a pod is created, newer API servers merge
     * matchLabelKeys into the selector.
     */
    public boolean isStoredAs(TopologySpreadConstraint stored) {
        return equals(stored)
                || (!matchLabelKeys.isEmpty()
                        && labelSelector.isPresent()
                        && stored.labelSelector
                                .filter(labelSelector.get()::isExtendedBy)
                                .isPresent()
                        && equals(new TopologySpreadConstraint(
                                stored.maxSkew,
                                stored.topologyKey,
                                labelSelector,
                                stored.minDomains,
                                stored.nodeAffinityPolicy,
                                stored.nodeTaintsPolicy,
                                stored.matchLabelKeys)));
    }

    @Override
    public String toString() {
        return labelSelector.map(LabelSelector::ofPods).orElse("(no pod)") + " by " + topologyKey + ", maxSkew "
                + maxSkew + (minDomains > 1 ? ", minDomains " + minDomains : "");
    }
}
