package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;

/**
 * A pod that is bound to a node, as reports and events name it.
 *
 * @param node the node to which the pod is bound
 * @param controller the pod's direct controller; absent for a bare pod
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
