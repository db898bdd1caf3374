package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;

/**
 * A pod where it runs, as it is told of.
 *
 * @param node it is on
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
