package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Controller;
import java.util.Optional;

/** Decodes a PersistentVolumeClaim of core/v1. */
public final class ClaimDecoder implements ObjectDecoder<ClaimDecoder.Claim> {
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
                case Fields.PersistentVolumeClaim.METADATA -> metadataDecoder.read(reader);
                case Fields.PersistentVolumeClaim.SPEC -> spec();
                case Fields.PersistentVolumeClaim.STATUS -> status();
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
                case Fields.PersistentVolumeClaimSpec.VOLUME_NAME ->
                    volume = Optional.of(reader.string()).filter(name -> !name.isEmpty());
                case Fields.PersistentVolumeClaimSpec.STORAGE_CLASS_NAME ->
                    storageClass = Optional.of(reader.string()).filter(name -> !name.isEmpty());
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void status() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.PersistentVolumeClaimStatus.PHASE) {
                lost = reader.string().equals("Lost");
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
