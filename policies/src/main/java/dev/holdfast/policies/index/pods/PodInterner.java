package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;

/** A pod as it is kept: equal to what was told, its parts the very ones that other pods have. */
final class PodInterner {
    private PodInterner() {}

    /**
     * {@return the pod with all that it has in common with others, or with itself before, kept once}
     *
     * @param known whether what the entry has is kept already
     */
    static Pod shared(Pod pod, PodEntry entry, boolean known) {
        Pod before = entry.pod;
        LabelVariant labelVariant = entry.labelVariant;
        return pod.madeOf(
                before,
                labelVariant.labels,
                entry.node == null ? pod.nodeName() : entry.node.name(),
                scheduling(pod, entry, known),
                known && before.podRequirements().equals(pod.podRequirements())
                        ? before.podRequirements()
                        : labelVariant.shared(pod.podRequirements()),
                known && before.victimProtection().equals(pod.victimProtection())
                        ? before.victimProtection()
                        : labelVariant.shared(pod.victimProtection()));
    }

    /** {@return the pod's scheduling, kept once for all of whom the same is asked} */
    private static Scheduling scheduling(Pod pod, PodEntry entry, boolean known) {
        if (!entry.resolvedRules.isNone()) {
            return entry.resolvedRules.ruleSet().key().scheduling();
        }
        Scheduling before = entry.pod.scheduling();
        return known && before.equals(pod.scheduling()) ? before : entry.labelVariant.shared(pod.scheduling());
    }

    /** {@return the pod as first seen, its namespace's name kept once for all its pods} */
    static Pod named(Pod pod, LabelVariant labelVariant) {
        return new Pod(
                pod.uid(),
                new NamespacedName(labelVariant.kind.namespace.name, pod.name().name()),
                pod.resourceVersion(),
                labelVariant.labels,
                pod.nodeName(),
                pod.scheduling(),
                pod.podRequirements(),
                pod.life(),
                pod.victimProtection());
    }
}
