package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ApiConstants;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What the volumes of a pod tie it to; one instance serves all pods, one after the other. */
final class VolumeParts {
    private final ProtoReader reader;
    private final List<String> claims = new ArrayList<>();

    /** Of the claims, those whose names begin with the pod's own. */
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

    /** {@return whether any is on the node's disk and goes with the pod} */
    boolean local() {
        return local;
    }

    /** {@return the names of the claims; what is claimed for this pod alone is called {@code POD-VOLUME}} */
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
                case PodFields.Volume.NAME -> {
                    nameFrom = reader.value();
                    nameTo = reader.position();
                }
                case PodFields.Volume.SOURCE -> ofItsOwn |= source();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        if (ofItsOwn) {
            ephemeral.add(claims.size());
            claims.add(new String(reader.bytes(), nameFrom, nameTo - nameFrom, StandardCharsets.UTF_8));
        }
    }

    /** {@return whether a claim is made for this volume of this pod} */
    private boolean source() throws MalformedException {
        boolean ofItsOwn = false;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case PodFields.VolumeSource.EMPTY_DIR -> local |= onDisk();
                case PodFields.VolumeSource.PERSISTENT_VOLUME_CLAIM -> claim();
                case PodFields.VolumeSource.EPHEMERAL -> {
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
            if (reader.field() == PodFields.EmptyDir.MEDIUM) {
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
            if (reader.field() == PodFields.ClaimSource.CLAIM_NAME) {
                claims.add(reader.string());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
