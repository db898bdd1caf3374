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
    private static final int VOLUME_NAME = 3;

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache);
    private final ProtoReader reader = new ProtoReader();

    private Optional<String> volume = Optional.empty();

    /**
     * The part of a PersistentVolumeClaim that Holdfast uses.
     *
     * @param volume the name of the bound PersistentVolume; empty while the claim is unbound
     * @param ownedByPod whether a pod is the controller of the claim, as for generic ephemeral volumes
     */
    public record Claim(Optional<String> volume, boolean ownedByPod) {}

    @Override
    public Claim decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        volume = Optional.empty();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFieldNumbers.METADATA -> metadataDecoder.read(reader);
                case ObjectFieldNumbers.SPEC -> spec();
                default -> reader.skip();
            }
        }
        boolean ofPod = metadataDecoder
                .controller()
                .map(Controller::kind)
                .filter("Pod"::equals)
                .isPresent();
        return new Claim(volume, ofPod);
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == VOLUME_NAME) {
                volume = Optional.of(reader.string()).filter(name -> !name.isEmpty());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
