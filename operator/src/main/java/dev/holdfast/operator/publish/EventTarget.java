package dev.holdfast.operator.publish;

import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Optional;

/**
 * The object that an event is about (its {@code involvedObject}).
 *
 * @param apiVersion apiVersion of the object; the empty string if unknown
 * @param kind kind of the object, such as {@code Pod}
 * @param namespace namespace of the object; empty for cluster-scoped objects
 * @param name name of the object
 * @param uid UID of the object; the empty string if unknown; then {@code kubectl describe} does not find the event
 */
record EventTarget(String apiVersion, String kind, Optional<String> namespace, String name, String uid) {
    static EventTarget pod(BoundPod pod) {
        return pod(pod.name(), pod.uid());
    }

    static EventTarget pod(NamespacedName pod, String uid) {
        return new EventTarget("v1", "Pod", Optional.of(pod.namespace()), pod.name(), uid);
    }

    static Optional<EventTarget> controller(BoundPod pod) {
        return pod.controller().map(it -> workload(it, pod.name().namespace()));
    }

    /** {@return a workload object in a namespace} */
    static EventTarget workload(Controller workload, String namespace) {
        return new EventTarget(
                apiVersion(workload), workload.kind(), Optional.of(namespace), workload.name(), workload.uid());
    }

    static EventTarget policy(PolicyId policy, String uid) {
        String kind = policy.namespace().isPresent() ? "PlacementPolicy" : "ClusterPlacementPolicy";
        return new EventTarget("holdfast.dev/v1alpha1", kind, policy.namespace(), policy.name(), uid);
    }

    /** {@return the Namespace object with this name; the UID is left empty} */
    static EventTarget namespace(String name) {
        return new EventTarget("v1", "Namespace", Optional.empty(), name, "");
    }

    /** {@return the namespace for events about this object; {@code default} if the object is cluster-scoped} */
    String eventNamespace() {
        return namespace.orElse("default");
    }

    private static String apiVersion(Controller controller) {
        return switch (controller.kind()) {
            case "ReplicaSet", "StatefulSet", "DaemonSet", "Deployment" -> "apps/v1";
            case "Job", "CronJob" -> "batch/v1";
            case "ReplicationController" -> "v1";
            default -> "";
        };
    }
}
