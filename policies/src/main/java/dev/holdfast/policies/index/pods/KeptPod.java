package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;

/** A pod as it is kept: equal to what was told, its parts the very ones that other pods have. */
final class KeptPod {
    private KeptPod() {}

    /**
     * {@return the pod with all that it has in common with others, or with itself before, kept once}
     *
     * @param known whether what the entry has is kept already
     */
    static Pod shared(Pod pod, PodEntry entry, boolean known) {
        Pod before = entry.pod;
        Variant variant = entry.variant;
        return pod.madeOf(
                before,
                variant.labels,
                entry.node == null ? pod.nodeName() : entry.node.name(),
                scheduling(pod, entry, known),
                known && before.needs().equals(pod.needs()) ? before.needs() : variant.shared(pod.needs()),
                known && before.protection().equals(pod.protection())
                        ? before.protection()
                        : variant.shared(pod.protection()));
    }

    /** {@return the pod's scheduling, kept once for all of whom the same is asked} */
    private static Scheduling scheduling(Pod pod, PodEntry entry, boolean known) {
        if (!entry.profile.isNone()) {
            return entry.profile.ruleSet().key().scheduling();
        }
        Scheduling before = entry.pod.scheduling();
        return known && before.equals(pod.scheduling()) ? before : entry.variant.shared(pod.scheduling());
    }

    /** {@return the pod as first seen, its namespace's name kept once for all its pods} */
    static Pod named(Pod pod, Variant variant) {
        return new Pod(
                pod.uid(),
                new NamespacedName(variant.kind.namespace.name, pod.name().name()),
                pod.resourceVersion(),
                variant.labels,
                pod.nodeName(),
                pod.scheduling(),
                pod.needs(),
                pod.life(),
                pod.protection());
    }
}
