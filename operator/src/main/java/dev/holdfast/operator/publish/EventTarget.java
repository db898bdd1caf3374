package dev.holdfast.operator.publish;

import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.rule.PolicyId;
import java.util.Optional;

/**
 * The object that an event is about (its {@code involvedObject}).
 *
 * @param apiVersion empty if unknown
 * @param namespace absent for cluster-scoped objects
 * @param uid empty if unknown; then {@code kubectl describe} does not find the event
 */
record EventTarget(String apiVersion, String kind, Optional<String> namespace, String name, String uid) {
    static EventTarget pod(BoundPod pod) {
        return new EventTarget(
                "v1", "Pod", Optional.of(pod.name().namespace()), pod.name().name(), pod.uid());
    }

    static Optional<EventTarget> controller(BoundPod pod) {
        return pod.controller()
                .map(it -> new EventTarget(
                        apiVersion(it), it.kind(), Optional.of(pod.name().namespace()), it.name(), it.uid()));
    }

    static EventTarget policy(PolicyId policy, String uid) {
        String kind = policy.namespace().isPresent() ? "PlacementPolicy" : "ClusterPlacementPolicy";
        return new EventTarget("holdfast.dev/v1alpha1", kind, policy.namespace(), policy.name(), uid);
    }

    /** {@return a namespace; without a UID, since its events are found by name} */
    static EventTarget namespace(String name) {
        return new EventTarget("v1", "Namespace", Optional.empty(), name, "");
    }

    /** {@return the namespace of its events; {@code default} for cluster-scoped objects} */
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
