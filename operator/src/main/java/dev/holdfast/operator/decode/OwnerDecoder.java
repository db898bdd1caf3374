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
import java.util.OptionalInt;

/**
 * Decodes a controller of pods (ReplicaSet, StatefulSet, Job): its metadata and its desired replicas. Source of the
 * field numbers: {@code apps/v1/generated.proto} and {@code batch/v1/generated.proto} in k8s.io/api 0.37.1.
 */
public final class OwnerDecoder implements ObjectDecoder<Versioned<Owner>> {
    /** Field number of {@code replicas} in the spec of a ReplicaSet and of a StatefulSet. */
    private static final int REPLICAS = 1;

    private final String kind;

    /** Field number of {@code replicas} in the spec; {@link ProtoReader#NO_FIELD} for a Job, which has no replicas. */
    private final int replicasField;

    private final MetadataDecoder metadataDecoder = new MetadataDecoder(new StringCache());
    private final ProtoReader reader = new ProtoReader();

    /** The desired replicas; empty if the spec does not set them, which differs from 0. */
    private OptionalInt replicas = OptionalInt.empty();

    private OwnerDecoder(String kind, int replicasField) {
        this.kind = kind;
        this.replicasField = replicasField;
    }

    /** {@return a decoder of a ReplicaSet of apps/v1} */
    public static OwnerDecoder ofReplicaSets() {
        return new OwnerDecoder("ReplicaSet", REPLICAS);
    }

    /** {@return a decoder of a StatefulSet of apps/v1} */
    public static OwnerDecoder ofStatefulSets() {
        return new OwnerDecoder("StatefulSet", REPLICAS);
    }

    /** {@return a decoder of a Job of batch/v1} */
    public static OwnerDecoder ofJobs() {
        return new OwnerDecoder("Job", ProtoReader.NO_FIELD);
    }

    @Override
    public Versioned<Owner> decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        replicas = OptionalInt.empty();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFieldNumbers.METADATA -> metadataDecoder.read(reader);
                case ObjectFieldNumbers.SPEC -> spec();
                default -> reader.skip();
            }
        }
        Owner owner = new Owner(
                metadataDecoder.uid(object),
                kind,
                new NamespacedName(metadataDecoder.namespace(object), metadataDecoder.name(object)),
                metadataDecoder.controller(),
                replicas,
                metadataDecoder.disruptionAnnotations());
        return new Versioned<>(metadataDecoder.resourceVersion(object), owner);
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == replicasField) {
                replicas = OptionalInt.of(reader.int32());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
