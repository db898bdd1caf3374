package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ApiConstants;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Decoder of a pod's volumes: the claims that they use, and whether one of the volumes is deleted with it. One
 * decoder is reused for all pods, one after the other.
 */
final class VolumeParts {
    private final ProtoReader reader;
    private final List<String> claims = new ArrayList<>();

    /**
     * The indexes in {@link #claims} of the claims of generic ephemeral volumes. Kubernetes names such a claim {@code
     * POD-VOLUME}. {@code claims} has only {@code VOLUME} there until {@link #claims(String)} adds the name of the pod.
     */
    private final List<Integer> ephemeral = new ArrayList<>();

    private boolean hasLocalStorage;

    VolumeParts(ProtoReader reader) {
        this.reader = reader;
    }

    void clear() {
        claims.clear();
        ephemeral.clear();
        hasLocalStorage = false;
    }

    /** {@return whether a volume of the pod is deleted with it: an emptyDir on the node's disk, or a generic ephemeral volume} */
    boolean hasLocalStorage() {
        return hasLocalStorage;
    }

    /**
     * {@return the names of the pod's claims in the order of its volumes, valid until {@link #clear}} The claim of a
     * generic ephemeral volume is named {@code POD-VOLUME}.
     *
     * @param pod the name of the pod
     */
    List<String> claims(String pod) {
        for (int place : ephemeral) {
            claims.set(place, pod + "-" + claims.get(place));
        }
        ephemeral.clear();
        return claims;
    }

    /** Reads the reader's current field as a volume. */
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
            hasLocalStorage = true;
            ephemeral.add(claims.size());
            claims.add(new String(reader.bytes(), nameFrom, nameTo - nameFrom, StandardCharsets.UTF_8));
        }
    }

    /**
     * Reads the source of a volume, and returns whether the volume is generic ephemeral (its claim is created with the
     * pod).
     */
    private boolean source() throws MalformedException {
        boolean ofItsOwn = false;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case PodFieldNumbers.VolumeSource.EMPTY_DIR -> hasLocalStorage |= onDisk();
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
