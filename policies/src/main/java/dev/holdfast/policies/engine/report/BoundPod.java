package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;

/**
 * A bound pod, as reports and events name it.
 *
 * @param node the node it is bound to
 * @param controller its direct controller
 */
public record BoundPod(NamespacedName name, String uid, String node, Optional<Controller> controller) {
    public static BoundPod of(Pod pod) {
        return new BoundPod(
                pod.name(),
                pod.uid(),
                pod.nodeName().orElseThrow(),
                pod.victimProtection().controller());
    }
}
