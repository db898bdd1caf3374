package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.Metadata;
import dev.holdfast.operator.decode.meta.ObjectFields;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.Region;
import dev.holdfast.operator.decode.protobuf.Words;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import java.util.OptionalInt;

/**
 * Reads an object that makes pods, of which the metadata counts, and how many pods it wants. The numbers of the fields are
 * those of {@code apps/v1/generated.proto} and {@code batch/v1/generated.proto} in k8s.io/api 0.37.1.
 */
public final class OwnerDecoder implements ObjectDecoder<Versioned<Owner>> {
    /** Of the spec of a ReplicaSet and of a StatefulSet. */
    private static final int REPLICAS = 1;

    private final String kind;

    /** Of the spec; a Job has something else there, and no such number. */
    private final int replicasField;

    private final Metadata metadata = new Metadata(new Words());
    private final ProtoReader reader = new ProtoReader();

    /** Absent is another thing than zero. */
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
    public Versioned<Owner> decode(Region object) throws MalformedException {
        metadata.clear();
        replicas = OptionalInt.empty();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFields.METADATA -> metadata.read(reader);
                case ObjectFields.SPEC -> spec();
                default -> reader.skip();
            }
        }
        Owner owner = new Owner(
                metadata.uid(object),
                kind,
                new NamespacedName(metadata.namespace(object), metadata.name(object)),
                metadata.controller(),
                replicas,
                metadata.marks());
        return new Versioned<>(metadata.resourceVersion(object), owner);
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
