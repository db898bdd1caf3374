package dev.holdfast.operator.feed;

import com.google.errorprone.annotations.Immutable;
import dev.holdfast.operator.annotation.AnnotationRulesParser;
import dev.holdfast.operator.decode.BudgetDecoder;
import dev.holdfast.operator.decode.CsiNodeDecoder;
import dev.holdfast.operator.decode.LimitRangeDecoder;
import dev.holdfast.operator.decode.NamespaceDecoder;
import dev.holdfast.operator.decode.NodeDecoder;
import dev.holdfast.operator.decode.OwnerDecoder;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.QuotaDecoder;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;

/**
 * A watched kind whose objects come as protobuf: its API path, its name, and how a reader for one thread is made. The
 * record holds no reader and no decoder, so threads may share it.
 *
 * @param path the API path of all objects of the kind: {@code /api/v1/pods}
 * @param kind the name of the kind in an object's envelope: {@code Pod}
 */
@Immutable
public record ProtobufKind(String path, String kind, NewReader readers) {
    /** Makes a reader, and keeps none: a lambda that captured one would not compile. */
    @Immutable
    @FunctionalInterface
    interface NewReader {
        /** {@return a new reader of the kind with this name; no thread has used it yet} */
        KindReader<?> make(String kind);
    }

    public static ProtobufKind pods(SchedulingScope scope) {
        return new ProtobufKind(
                "/api/v1/pods",
                "Pod",
                kind -> new KindReader<>(
                        kind,
                        new PodDecoder(scope, AnnotationRulesParser::parse),
                        Pod::uid,
                        Pod::resourceVersion,
                        ClusterEvent.PodChanged::new));
    }

    public static ProtobufKind nodes() {
        return new ProtobufKind(
                "/api/v1/nodes",
                "Node",
                kind -> new KindReader<>(
                        kind, new NodeDecoder(), Node::name, Node::resourceVersion, new ReadableObjects()::node));
    }

    public static ProtobufKind namespaces() {
        return new ProtobufKind(
                "/api/v1/namespaces",
                "Namespace",
                kind -> new KindReader<>(
                        kind,
                        new NamespaceDecoder(),
                        Namespace::name,
                        Namespace::resourceVersion,
                        new ReadableObjects()::namespace));
    }

    public static ProtobufKind budgets() {
        return new ProtobufKind(
                "/apis/policy/v1/poddisruptionbudgets",
                "PodDisruptionBudget",
                kind -> KindReader.versioned(
                        kind, new BudgetDecoder(), DisruptionBudget::uid, ClusterEvent.BudgetChanged::new));
    }

    public static ProtobufKind deployments() {
        return new ProtobufKind(
                "/apis/apps/v1/deployments", "Deployment", kind -> owners(kind, OwnerDecoder.ofDeployments()));
    }

    public static ProtobufKind replicaSets(SchedulingScope scope) {
        return new ProtobufKind(
                "/apis/apps/v1/replicasets", "ReplicaSet", kind -> owners(kind, OwnerDecoder.ofReplicaSets(scope)));
    }

    public static ProtobufKind statefulSets(SchedulingScope scope) {
        return new ProtobufKind(
                "/apis/apps/v1/statefulsets", "StatefulSet", kind -> owners(kind, OwnerDecoder.ofStatefulSets(scope)));
    }

    public static ProtobufKind jobs(SchedulingScope scope) {
        return new ProtobufKind("/apis/batch/v1/jobs", "Job", kind -> owners(kind, OwnerDecoder.ofJobs(scope)));
    }

    public static ProtobufKind csiNodes() {
        return new ProtobufKind(
                "/apis/storage.k8s.io/v1/csinodes",
                "CSINode",
                kind -> KindReader.versioned(
                        kind, new CsiNodeDecoder(), CsiNode::name, ClusterEvent.CsiNodeChanged::new));
    }

    public static ProtobufKind quotas() {
        return new ProtobufKind(
                "/api/v1/resourcequotas",
                "ResourceQuota",
                kind -> KindReader.versioned(
                        kind, new QuotaDecoder(), ResourceQuota::uid, ClusterEvent.QuotaChanged::new));
    }

    public static ProtobufKind limitRanges() {
        return new ProtobufKind(
                "/api/v1/limitranges",
                "LimitRange",
                kind -> KindReader.versioned(
                        kind, new LimitRangeDecoder(), LimitRange::uid, ClusterEvent.LimitRangeChanged::new));
    }

    private static KindReader<?> owners(String kind, OwnerDecoder decoder) {
        return KindReader.versioned(kind, decoder, Owner::uid, ClusterEvent.OwnerChanged::new);
    }

    /** {@return a new reader of the kind, for one thread, which keeps it in a local variable} */
    public KindReader<?> reader() {
        return readers.make(kind);
    }
}
