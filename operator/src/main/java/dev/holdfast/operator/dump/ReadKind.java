package dev.holdfast.operator.dump;

import dev.holdfast.operator.dump.json.MessageType;
import dev.holdfast.operator.feed.ProtobufKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A kind of objects that is read from dumps.
 *
 * @param order the place of its objects in a {@link Dump}; verdicts are found faster if nodes come before pods
 */
record ReadKind(String kind, MessageType message, ProtobufKind<?> decoded, Scope scope, int order) {
    /** Whether the objects of a kind are in namespaces. */
    enum Scope {
        CLUSTER,
        NAMESPACE
    }

    /** {@return the kinds by apiVersion and name: {@code apps/v1/ReplicaSet}} */
    static Map<String, ReadKind> all() {
        return of(MessageType.readAll());
    }

    /** {@return the kinds by apiVersion and name, whose fields are those of these messages} */
    static Map<String, ReadKind> of(Map<String, MessageType> messages) {
        Map<String, ReadKind> kinds = new HashMap<>();
        add(kinds, messages, "v1", "Namespace", ProtobufKind.namespaces(), Scope.CLUSTER);
        add(kinds, messages, "v1", "Node", ProtobufKind.nodes(), Scope.CLUSTER);
        add(kinds, messages, "storage.k8s.io/v1", "CSINode", ProtobufKind.csiNodes(), Scope.CLUSTER);
        add(kinds, messages, "v1", "ResourceQuota", ProtobufKind.quotas(), Scope.NAMESPACE);
        add(kinds, messages, "policy/v1", "PodDisruptionBudget", ProtobufKind.budgets(), Scope.NAMESPACE);
        add(kinds, messages, "apps/v1", "Deployment", ProtobufKind.deployments(), Scope.NAMESPACE);
        add(kinds, messages, "apps/v1", "ReplicaSet", ProtobufKind.replicaSets(), Scope.NAMESPACE);
        add(kinds, messages, "apps/v1", "StatefulSet", ProtobufKind.statefulSets(), Scope.NAMESPACE);
        add(kinds, messages, "batch/v1", "Job", ProtobufKind.jobs(), Scope.NAMESPACE);
        add(kinds, messages, "v1", "Pod", ProtobufKind.pods(), Scope.NAMESPACE);
        return kinds;
    }

    private static void add(
            Map<String, ReadKind> kinds,
            Map<String, MessageType> messages,
            String apiVersion,
            String kind,
            ProtobufKind<?> decoded,
            Scope scope) {
        kinds.put(
                apiVersion + "/" + kind,
                new ReadKind(kind, Objects.requireNonNull(messages.get(kind), kind), decoded, scope, kinds.size()));
    }
}
