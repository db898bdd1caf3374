package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ApiConstants;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Decoder of a pod's volumes: local data and claims. One instance decodes all pods, one after the other. */
final class VolumeParts {
    private final ProtoReader reader;
    private final List<String> claims = new ArrayList<>();

    /** The indexes of claims for generic ephemeral volumes, whose names get the pod's name as prefix. */
    private final List<Integer> ephemeral = new ArrayList<>();

    private boolean local;

    VolumeParts(ProtoReader reader) {
        this.reader = reader;
    }

    void clear() {
        claims.clear();
        ephemeral.clear();
        local = false;
    }

    /** {@return whether the pod has an emptyDir on the node's disk} */
    boolean local() {
        return local;
    }

    /** {@return the names of the claims; that of a generic ephemeral volume is {@code POD-VOLUME}} */
    List<String> claims(String pod) {
        for (int place : ephemeral) {
            claims.set(place, pod + "-" + claims.get(place));
        }
        ephemeral.clear();
        return claims;
    }

    /** Reads the field as a volume. */
    void read() throws MalformedException {
        int nameFrom = 0;
        int nameTo = 0;
        boolean ofItsOwn = false;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case PodFieldNumbers.Volume.NAME -> {
                    nameFrom = reader.value();
                    nameTo = reader.position();
                }
                case PodFieldNumbers.Volume.SOURCE -> ofItsOwn |= source();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        if (ofItsOwn) {
            ephemeral.add(claims.size());
            claims.add(new String(reader.bytes(), nameFrom, nameTo - nameFrom, StandardCharsets.UTF_8));
        }
    }

    /** {@return whether this is a generic ephemeral volume, with a claim of its own} */
    private boolean source() throws MalformedException {
        boolean ofItsOwn = false;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case PodFieldNumbers.VolumeSource.EMPTY_DIR -> local |= onDisk();
                case PodFieldNumbers.VolumeSource.PERSISTENT_VOLUME_CLAIM -> claim();
                case PodFieldNumbers.VolumeSource.EPHEMERAL -> {
                    reader.value();
                    ofItsOwn = true;
                }
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        return ofItsOwn;
    }

    private boolean onDisk() throws MalformedException {
        boolean onDisk = true;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == PodFieldNumbers.EmptyDir.MEDIUM) {
                onDisk = !ApiConstants.inMemory(reader.string());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return onDisk;
    }

    private void claim() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == PodFieldNumbers.ClaimSource.CLAIM_NAME) {
                claims.add(reader.string());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
