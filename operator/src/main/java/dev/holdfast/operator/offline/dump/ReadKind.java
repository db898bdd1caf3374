package dev.holdfast.operator.offline.dump;

import dev.holdfast.operator.decode.ClaimDecoder;
import dev.holdfast.operator.decode.SelectorDecoder;
import dev.holdfast.operator.decode.StorageClassDecoder;
import dev.holdfast.operator.decode.VolumeDecoder;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.operator.feed.KindReader;
import dev.holdfast.operator.feed.ProtobufKind;
import dev.holdfast.operator.offline.dump.json.MessageType;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * A kind of objects that is read from dumps.
 *
 * @param path the API path of all objects of the kind
 * @param order the place of its objects in a {@link Dump}; verdicts are found faster if nodes come before pods
 */
public record ReadKind(String kind, MessageType message, String path, Decoding decoding, Scope scope, int order) {
    private static final Set<String> SCORES = Set.of("Service", "ReplicationController");
    private static final Set<String> STORAGE = Set.of("PersistentVolumeClaim", "PersistentVolume", "StorageClass");

    /** Whether the objects of a kind are in namespaces. */
    public enum Scope {
        CLUSTER,
        NAMESPACE
    }

    /** Decodes an object of a kind. */
    @FunctionalInterface
    public interface Decoding {
        /** {@return the decoded object} */
        ReadObject decode(ByteSlice object) throws MalformedException;
    }

    /** {@return whether the objects say where volumes can be used} The engine knows no such object. */
    public boolean ofStorage() {
        return STORAGE.contains(kind);
    }

    /** {@return whether only the scores of the scheduler depend on the objects} */
    public boolean ofScores() {
        return SCORES.contains(kind);
    }

    /** {@return the kinds by apiVersion and name: {@code apps/v1/ReplicaSet}} */
    public static Map<String, ReadKind> all() {
        return of(MessageType.readAll());
    }

    /** {@return the kinds by apiVersion and name, with the fields of these messages} */
    static Map<String, ReadKind> of(Map<String, MessageType> messages) {
        Map<String, ReadKind> kinds = new HashMap<>();
        add(kinds, messages, "v1", "Namespace", ProtobufKind.namespaces(), Scope.CLUSTER);
        add(kinds, messages, "v1", "Node", ProtobufKind.nodes(), Scope.CLUSTER);
        add(kinds, messages, "storage.k8s.io/v1", "CSINode", ProtobufKind.csiNodes(), Scope.CLUSTER);
        add(kinds, messages, "v1", "ResourceQuota", ProtobufKind.quotas(), Scope.NAMESPACE);
        add(kinds, messages, "v1", "LimitRange", ProtobufKind.limitRanges(), Scope.NAMESPACE);
        add(kinds, messages, "policy/v1", "PodDisruptionBudget", ProtobufKind.budgets(), Scope.NAMESPACE);
        add(kinds, messages, "apps/v1", "Deployment", ProtobufKind.deployments(), Scope.NAMESPACE);
        addSelecting(
                kinds,
                messages,
                "ReplicaSet",
                ProtobufKind.replicaSets(SchedulingScope.RULES_AND_PREFERENCES),
                SelectorDecoder.ofReplicaSets());
        addSelecting(
                kinds,
                messages,
                "StatefulSet",
                ProtobufKind.statefulSets(SchedulingScope.RULES_AND_PREFERENCES),
                SelectorDecoder.ofStatefulSets());
        add(
                kinds,
                messages,
                "batch/v1",
                "Job",
                ProtobufKind.jobs(SchedulingScope.RULES_AND_PREFERENCES),
                Scope.NAMESPACE);
        add(kinds, messages, "v1", "Pod", ProtobufKind.pods(SchedulingScope.RULES_AND_PREFERENCES), Scope.NAMESPACE);
        put(
                kinds,
                messages,
                "v1/PersistentVolumeClaim",
                "/api/v1/persistentvolumeclaims",
                decoding(new ClaimDecoder(), ReadObject.Claim::new),
                Scope.NAMESPACE);
        put(
                kinds,
                messages,
                "v1/PersistentVolume",
                "/api/v1/persistentvolumes",
                decoding(new VolumeDecoder(), ReadObject.Volume::new),
                Scope.CLUSTER);
        put(
                kinds,
                messages,
                "storage.k8s.io/v1/StorageClass",
                "/apis/storage.k8s.io/v1/storageclasses",
                decoding(new StorageClassDecoder(), ReadObject.StorageClass::new),
                Scope.CLUSTER);
        put(
                kinds,
                messages,
                "v1/Service",
                "/api/v1/services",
                selectors(SelectorDecoder.ofServices()),
                Scope.NAMESPACE);
        put(
                kinds,
                messages,
                "v1/ReplicationController",
                "/api/v1/replicationcontrollers",
                selectors(SelectorDecoder.ofReplicationControllers()),
                Scope.NAMESPACE);
        return kinds;
    }

    private static void addSelecting(
            Map<String, ReadKind> kinds,
            Map<String, MessageType> messages,
            String kind,
            ProtobufKind decoded,
            SelectorDecoder selectors) {
        KindReader<?> reader = decoded.reader();
        put(
                kinds,
                messages,
                "apps/v1/" + kind,
                decoded.path(),
                object -> new ReadObject.Selecting(reader.event(object), selectors.decode(object)),
                Scope.NAMESPACE);
    }

    private static Decoding selectors(SelectorDecoder decoder) {
        return object -> new ReadObject.Selector(decoder.decode(object));
    }

    private static <T> Decoding decoding(ObjectDecoder<T> decoder, Function<T, ReadObject> read) {
        return object -> read.apply(decoder.decode(object));
    }

    private static void put(
            Map<String, ReadKind> kinds,
            Map<String, MessageType> messages,
            String id,
            String path,
            Decoding decoding,
            Scope scope) {
        String kind = id.substring(id.lastIndexOf('/') + 1);
        kinds.put(
                id,
                new ReadKind(
                        kind, Objects.requireNonNull(messages.get(kind), kind), path, decoding, scope, kinds.size()));
    }

    private static void add(
            Map<String, ReadKind> kinds,
            Map<String, MessageType> messages,
            String apiVersion,
            String kind,
            ProtobufKind decoded,
            Scope scope) {
        KindReader<?> reader = decoded.reader();
        put(
                kinds,
                messages,
                apiVersion + "/" + kind,
                decoded.path(),
                object -> new ReadObject.Fact(reader.event(object)),
                scope);
    }
}
