package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.ObjectFieldNumbers;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Controller;
import java.util.Optional;

/**
 * Decodes a PersistentVolumeClaim of core/v1. Source of the field numbers: {@code core/v1/generated.proto} in
 * k8s.io/api 0.37.1.
 */
public final class ClaimDecoder implements ObjectDecoder<ClaimDecoder.Claim> {
    /** Protobuf field number of {@code volumeName} in the spec. */
    private static final int VOLUME_NAME = 3;

    /** Protobuf field number of {@code storageClassName} in the spec. */
    private static final int STORAGE_CLASS_NAME = 5;

    /** Protobuf field number of {@code phase} in the status. */
    private static final int PHASE = 1;

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache);
    private final ProtoReader reader = new ProtoReader();

    private Optional<String> volume = Optional.empty();
    private Optional<String> storageClass = Optional.empty();
    private boolean lost;

    /**
     * The part of a PersistentVolumeClaim that Holdfast uses.
     *
     * @param volume the name of the bound PersistentVolume; empty while the claim is unbound
     * @param storageClass the name of the StorageClass; empty if the claim has none
     * @param ownedByPod whether a pod is the controller of the claim, as for generic ephemeral volumes
     * @param terminating whether the deletion of the claim was requested
     * @param lost whether the PersistentVolume of the claim no longer exists
     */
    public record Claim(
            Optional<String> volume,
            Optional<String> storageClass,
            boolean ownedByPod,
            boolean terminating,
            boolean lost) {}

    @Override
    public Claim decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        volume = Optional.empty();
        storageClass = Optional.empty();
        lost = false;
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFieldNumbers.METADATA -> metadataDecoder.read(reader);
                case ObjectFieldNumbers.SPEC -> spec();
                case ObjectFieldNumbers.STATUS -> status();
                default -> reader.skip();
            }
        }
        boolean ofPod = metadataDecoder
                .controller()
                .map(Controller::kind)
                .filter("Pod"::equals)
                .isPresent();
        return new Claim(
                volume, storageClass, ofPod, metadataDecoder.deletionTime().isPresent(), lost);
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case VOLUME_NAME -> volume = Optional.of(reader.string()).filter(name -> !name.isEmpty());
                case STORAGE_CLASS_NAME ->
                    storageClass = Optional.of(reader.string()).filter(name -> !name.isEmpty());
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void status() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == PHASE) {
                lost = reader.string().equals("Lost");
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
