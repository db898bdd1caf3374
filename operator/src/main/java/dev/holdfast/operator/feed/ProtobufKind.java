package dev.holdfast.operator.feed;

import dev.holdfast.operator.annotation.AnnotationRulesParser;
import dev.holdfast.operator.decode.BudgetDecoder;
import dev.holdfast.operator.decode.CsiNodeDecoder;
import dev.holdfast.operator.decode.NamespaceDecoder;
import dev.holdfast.operator.decode.NodeDecoder;
import dev.holdfast.operator.decode.OwnerDecoder;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.QuotaDecoder;
import dev.holdfast.operator.decode.Versioned;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A watched kind whose objects are decoded from protobuf: its API path, its decoder, and how the feed identifies an
 * object and reports it.
 *
 * @param <F> the decoded object; a {@link Versioned} if the object's own type has no resourceVersion
 * @param path the API path of all objects of the kind: {@code /api/v1/pods}
 * @param id returns the id of an object, with which its deletion is reported: its uid, or its name for nodes and
 *     namespaces
 * @param version returns the resourceVersion of an object
 * @param changed makes the event that reports a new or changed object
 */
public record ProtobufKind<F>(
        String path,
        ObjectDecoder<F> decoder,
        Function<F, String> id,
        ToLongFunction<F> version,
        Function<F, ClusterEvent> changed) {
    public static ProtobufKind<Pod> pods() {
        return new ProtobufKind<>(
                "/api/v1/pods",
                new PodDecoder(AnnotationRulesParser::parse),
                Pod::uid,
                Pod::resourceVersion,
                ClusterEvent.PodChanged::new);
    }

    public static ProtobufKind<Node> nodes() {
        return new ProtobufKind<>(
                "/api/v1/nodes", new NodeDecoder(), Node::name, Node::resourceVersion, new ReadableNodes());
    }

    public static ProtobufKind<Namespace> namespaces() {
        return new ProtobufKind<>(
                "/api/v1/namespaces",
                new NamespaceDecoder(),
                Namespace::name,
                Namespace::resourceVersion,
                new ReadableNamespaces());
    }

    public static ProtobufKind<Versioned<DisruptionBudget>> budgets() {
        return versioned(
                "/apis/policy/v1/poddisruptionbudgets",
                new BudgetDecoder(),
                DisruptionBudget::uid,
                ClusterEvent.BudgetChanged::new);
    }

    public static ProtobufKind<Versioned<Owner>> deployments() {
        return owners("/apis/apps/v1/deployments", OwnerDecoder.ofDeployments());
    }

    public static ProtobufKind<Versioned<Owner>> replicaSets() {
        return owners("/apis/apps/v1/replicasets", OwnerDecoder.ofReplicaSets());
    }

    public static ProtobufKind<Versioned<Owner>> statefulSets() {
        return owners("/apis/apps/v1/statefulsets", OwnerDecoder.ofStatefulSets());
    }

    public static ProtobufKind<Versioned<Owner>> jobs() {
        return owners("/apis/batch/v1/jobs", OwnerDecoder.ofJobs());
    }

    public static ProtobufKind<Versioned<CsiNode>> csiNodes() {
        return versioned(
                "/apis/storage.k8s.io/v1/csinodes",
                new CsiNodeDecoder(),
                CsiNode::name,
                ClusterEvent.CsiNodeChanged::new);
    }

    public static ProtobufKind<Versioned<ResourceQuota>> quotas() {
        return versioned(
                "/api/v1/resourcequotas", new QuotaDecoder(), ResourceQuota::uid, ClusterEvent.QuotaChanged::new);
    }

    private static ProtobufKind<Versioned<Owner>> owners(String path, OwnerDecoder decoder) {
        return versioned(path, decoder, Owner::uid, ClusterEvent.OwnerChanged::new);
    }

    private static <F> ProtobufKind<Versioned<F>> versioned(
            String path,
            ObjectDecoder<Versioned<F>> decoder,
            Function<F, String> id,
            Function<F, ClusterEvent> changed) {
        return new ProtobufKind<>(
                path,
                decoder,
                it -> id.apply(it.object()),
                Versioned::resourceVersion,
                it -> changed.apply(it.object()));
    }

    /** {@return the event that reports an object, which is not compared with an earlier version of it} */
    public ClusterEvent event(ByteSlice object) throws MalformedException {
        return changed.apply(decoder.decode(object, KnownIds.NONE));
    }

    void changed(SeenObjects seenObjects, ByteSlice object) throws MalformedException {
        F fact = decoder.decode(object, seenObjects);
        seenObjects.changed(id.apply(fact), version.applyAsLong(fact), changed.apply(fact));
    }

    /** {@return the resourceVersion of an object in a watch event} */
    long version(ByteSlice object) throws MalformedException {
        return version.applyAsLong(decoder.decode(object, KnownIds.NONE));
    }

    void deleted(SeenObjects seenObjects, ByteSlice object) throws MalformedException {
        F fact = decoder.decode(object, seenObjects);
        seenObjects.deleted(id.apply(fact), version.applyAsLong(fact));
    }
}
