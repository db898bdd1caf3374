package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;

/** Replaces parts of a pod by equal objects that other pods already use, to save memory. */
final class PodInterner {
    private PodInterner() {}

    /**
     * {@return a pod with the same content, made of objects that its previous state or other pods already use}
     *
     * @param known whether {@code entry} still has the previous state of the pod, so that its parts can be used again
     */
    static Pod shared(Pod pod, PodEntry entry, boolean known) {
        Pod before = entry.pod;
        LabelVariant labelVariant = entry.labelVariant;
        return pod.withSharedParts(
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

    /**
     * {@return scheduling constraints equal to those of the pod: an object that other pods, or the previous state of
     * this pod, already use}
     */
    private static Scheduling scheduling(Pod pod, PodEntry entry, boolean known) {
        if (!entry.resolvedRules.isNone()) {
            return entry.resolvedRules.ruleSet().key().scheduling();
        }
        Scheduling before = entry.pod.scheduling();
        return known && before.equals(pod.scheduling()) ? before : entry.labelVariant.shared(pod.scheduling());
    }

    /**
     * {@return a pod with the same content} The returned pod shares the string of its namespace with all pods there,
     * and its labels object with all pods of equal labels.
     */
    static Pod named(Pod pod, LabelVariant labelVariant) {
        return new Pod(
                pod.uid(),
                new NamespacedName(
                        labelVariant.labelClass.namespace.name, pod.name().name()),
                pod.resourceVersion(),
                labelVariant.labels,
                pod.nodeName(),
                pod.scheduling(),
                pod.podRequirements(),
                pod.life(),
                pod.victimProtection());
    }
}
