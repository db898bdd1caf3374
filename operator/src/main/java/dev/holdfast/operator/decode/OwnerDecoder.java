package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.ObjectFieldNumbers;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Decodes a workload object (Deployment, ReplicaSet, StatefulSet, Job): its metadata, its desired replicas, and the
 * revisions of a StatefulSet. Source of the field numbers: {@code apps/v1/generated.proto} and {@code
 * batch/v1/generated.proto} in k8s.io/api 0.37.1.
 */
public final class OwnerDecoder implements ObjectDecoder<Versioned<Owner>> {
    /** Field number of {@code replicas} in the spec of a ReplicaSet and of a StatefulSet. */
    private static final int REPLICAS = 1;

    /** Field numbers in the spec of a StatefulSet. */
    private static final class StatefulSetSpec {
        static final int UPDATE_STRATEGY = 7;
        static final int ORDINALS = 11;
        /** In the update strategy. */
        static final int TYPE = 1;
        /** In the update strategy. */
        static final int ROLLING_UPDATE = 2;
        /** In the part {@code rollingUpdate} of the update strategy. */
        static final int PARTITION = 1;
        /** In the ordinals. */
        static final int START = 1;

        private StatefulSetSpec() {}
    }

    /** Field numbers in the status of a StatefulSet. */
    private static final class StatefulSetStatus {
        static final int OBSERVED_GENERATION = 1;
        static final int CURRENT_REVISION = 6;
        static final int UPDATE_REVISION = 7;

        private StatefulSetStatus() {}
    }

    private static final String DEPLOYMENT = "Deployment";
    private static final String STATEFUL_SET = "StatefulSet";
    private static final String ON_DELETE = "OnDelete";

    private final String kind;

    /** Field number of {@code replicas} in the spec; {@link ProtoReader#NO_FIELD} if they are not read. */
    private final int replicasField;

    private final MetadataDecoder metadataDecoder = new MetadataDecoder(new StringCache());
    private final ProtoReader reader = new ProtoReader();

    /** The desired replicas; empty if the spec does not set them, which differs from 0. */
    private OptionalInt replicas = OptionalInt.empty();

    private boolean onDelete;
    private int partition;
    private int firstOrdinal;
    private long observedGeneration;
    private String currentRevision = "";
    private String updateRevision = "";

    private OwnerDecoder(String kind, int replicasField) {
        this.kind = kind;
        this.replicasField = replicasField;
    }

    /** {@return a decoder of a ReplicaSet of apps/v1} */
    public static OwnerDecoder ofReplicaSets() {
        return new OwnerDecoder("ReplicaSet", REPLICAS);
    }

    /**
     * {@return a decoder of a Deployment of apps/v1} It has no replicas, because its ReplicaSets have them, and no
     * controller, because a Deployment is a workload of its own whatever object made it.
     */
    public static OwnerDecoder ofDeployments() {
        return new OwnerDecoder(DEPLOYMENT, ProtoReader.NO_FIELD);
    }

    /** {@return a decoder of a StatefulSet of apps/v1} */
    public static OwnerDecoder ofStatefulSets() {
        return new OwnerDecoder(STATEFUL_SET, REPLICAS);
    }

    /** {@return a decoder of a Job of batch/v1} */
    public static OwnerDecoder ofJobs() {
        return new OwnerDecoder("Job", ProtoReader.NO_FIELD);
    }

    @Override
    public Versioned<Owner> decode(ByteSlice object) throws MalformedException {
        clear();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFieldNumbers.METADATA -> metadataDecoder.read(reader);
                case ObjectFieldNumbers.SPEC -> spec();
                case ObjectFieldNumbers.STATUS -> status();
                default -> reader.skip();
            }
        }
        Owner owner = new Owner(
                metadataDecoder.uid(object),
                kind,
                new NamespacedName(metadataDecoder.namespace(object), metadataDecoder.name(object)),
                kind.equals(DEPLOYMENT) ? Optional.empty() : metadataDecoder.controller(),
                replicas,
                metadataDecoder.disruptionAnnotations(),
                ofStatefulSet() ? Optional.of(revisions()) : Optional.empty());
        return new Versioned<>(metadataDecoder.resourceVersion(object), owner);
    }

    private boolean ofStatefulSet() {
        return kind.equals(STATEFUL_SET);
    }

    private StatefulSetRevisions revisions() {
        boolean observed = observedGeneration >= metadataDecoder.generation();
        return new StatefulSetRevisions(observed, onDelete, partition, firstOrdinal, currentRevision, updateRevision);
    }

    private void clear() {
        metadataDecoder.clear();
        replicas = OptionalInt.empty();
        onDelete = false;
        partition = 0;
        firstOrdinal = 0;
        observedGeneration = 0;
        currentRevision = "";
        updateRevision = "";
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == replicasField) {
                replicas = OptionalInt.of(reader.int32());
            } else if (ofStatefulSet() && reader.field() == StatefulSetSpec.UPDATE_STRATEGY) {
                updateStrategy();
            } else if (ofStatefulSet() && reader.field() == StatefulSetSpec.ORDINALS) {
                ordinals();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void updateStrategy() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case StatefulSetSpec.TYPE -> onDelete = reader.string().equals(ON_DELETE);
                case StatefulSetSpec.ROLLING_UPDATE -> rollingUpdate();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void rollingUpdate() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == StatefulSetSpec.PARTITION) {
                partition = reader.int32();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void ordinals() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == StatefulSetSpec.START) {
                firstOrdinal = reader.int32();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void status() throws MalformedException {
        if (!ofStatefulSet()) {
            reader.skip();
            return;
        }
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case StatefulSetStatus.OBSERVED_GENERATION -> observedGeneration = reader.int64();
                case StatefulSetStatus.CURRENT_REVISION -> currentRevision = reader.string();
                case StatefulSetStatus.UPDATE_REVISION -> updateRevision = reader.string();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
