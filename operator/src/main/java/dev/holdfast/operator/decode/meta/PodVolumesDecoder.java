package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Decoder of a pod's volumes: the claims that they use, and whether an eviction would lose files of one of them. One
 * decoder is reused for all pods, one after the other.
 */
public final class PodVolumesDecoder {
    /** The bit of all sources that are unknown. */
    private static final int LAST_SOURCE = 31;

    private final ProtoReader reader;
    private final List<String> claims = new ArrayList<>();

    /**
     * The indexes in {@link #claims} of the claims of generic ephemeral volumes. Kubernetes names such a claim {@code
     * POD-VOLUME}. {@code claims} has only {@code VOLUME} there until {@link #claims(String)} adds the name of the pod.
     */
    private final List<Integer> ephemeral = new ArrayList<>();

    private boolean hasLocalStorage;

    /** The field numbers of the sources of the volumes, as bits. */
    private int sources;

    /** The names of the volumes that hold files of the pod only if a container may write to them. */
    private final Set<String> ifWritten = new HashSet<>();

    /** Whether the volume that is being read holds files only if a container may write to it. */
    private boolean dependsOnMounts;

    /** Whether the volume that is being read names its source. The API server makes any other volume an emptyDir. */
    private boolean hasSource;

    private final ProtoReader again = new ProtoReader();

    public PodVolumesDecoder(ProtoReader reader) {
        this.reader = reader;
    }

    public void clear() {
        claims.clear();
        ephemeral.clear();
        hasLocalStorage = false;
        sources = 0;
        ifWritten.clear();
    }

    /**
     * {@return whether an eviction of the pod would lose files} Files in an emptyDir on the node's disk or in a generic
     * ephemeral volume are deleted. Files in an inline CSI volume are deleted too, and files in a hostPath stay on the
     * node; both count if a container mounts the volume for writing.
     *
     * @param pod the whole pod. The containers are read once more, because they may come before the volumes
     */
    public boolean hasLocalStorage(ByteSlice pod) throws MalformedException {
        return hasLocalStorage || (!ifWritten.isEmpty() && isWritten(pod));
    }

    private boolean isWritten(ByteSlice pod) throws MalformedException {
        boolean written = false;
        again.open(pod);
        while (again.next()) {
            if (again.field() != Fields.Pod.SPEC) {
                again.skip();
                continue;
            }
            int outer = again.enter();
            while (again.next()) {
                switch (again.field()) {
                    case Fields.PodSpec.CONTAINERS, Fields.PodSpec.INIT_CONTAINERS -> written |= writes();
                    default -> again.skip();
                }
            }
            again.leave(outer);
        }
        return written;
    }

    /** {@return whether the container at the reader's current field mounts one of the volumes for writing} */
    private boolean writes() throws MalformedException {
        boolean written = false;
        int outer = again.enter();
        while (again.next()) {
            if (again.field() == Fields.Container.VOLUME_MOUNTS) {
                written |= isForWriting();
            } else {
                again.skip();
            }
        }
        again.leave(outer);
        return written;
    }

    private boolean isForWriting() throws MalformedException {
        String name = "";
        boolean readOnly = false;
        int outer = again.enter();
        while (again.next()) {
            switch (again.field()) {
                case Fields.VolumeMount.NAME -> name = again.string();
                case Fields.VolumeMount.READ_ONLY -> readOnly = again.bool();
                default -> again.skip();
            }
        }
        again.leave(outer);
        return !readOnly && ifWritten.contains(name);
    }

    /** {@return the field numbers of the sources of the volumes, as bits} */
    public int sources() {
        return sources;
    }

    /**
     * {@return the names of the pod's claims in the order of its volumes, valid until {@link #clear}} The claim of a
     * generic ephemeral volume is named {@code POD-VOLUME}.
     *
     * @param pod the name of the pod
     */
    public List<String> claims(String pod) {
        for (int place : ephemeral) {
            claims.set(place, pod + "-" + claims.get(place));
        }
        ephemeral.clear();
        return claims;
    }

    /**
     * {@return the names of the claims in a pod template, without those of generic ephemeral volumes, which are made
     * for each pod}
     */
    public List<String> claimsOfTemplate() {
        return IntStream.range(0, claims.size())
                .filter(place -> !ephemeral.contains(place))
                .mapToObj(claims::get)
                .toList();
    }

    /** Reads the reader's current field as a volume. */
    public void read() throws MalformedException {
        int nameFrom = 0;
        int nameTo = 0;
        boolean ofItsOwn = false;
        dependsOnMounts = false;
        hasSource = false;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.Volume.NAME -> {
                    nameFrom = reader.value();
                    nameTo = reader.position();
                }
                case Fields.Volume.VOLUME_SOURCE -> ofItsOwn |= source();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        if (!hasSource) {
            sources |= 1 << Fields.VolumeSource.EMPTY_DIR;
            hasLocalStorage = true;
        }
        if (ofItsOwn) {
            hasLocalStorage = true;
            ephemeral.add(claims.size());
            claims.add(name(nameFrom, nameTo));
        }
        if (dependsOnMounts) {
            ifWritten.add(name(nameFrom, nameTo));
        }
    }

    private String name(int from, int to) {
        return new String(reader.bytes(), from, to - from, StandardCharsets.UTF_8);
    }

    /**
     * Reads the source of a volume, and returns whether the volume is generic ephemeral (its claim is created with the
     * pod).
     */
    private boolean source() throws MalformedException {
        boolean ofItsOwn = false;
        int outer = reader.enter();
        while (reader.next()) {
            hasSource = true;
            sources |= 1 << Math.min(reader.field(), LAST_SOURCE);
            switch (reader.field()) {
                case Fields.VolumeSource.HOST_PATH -> {
                    reader.value();
                    dependsOnMounts = true;
                }
                case Fields.VolumeSource.CSI -> dependsOnMounts |= isWritable();
                case Fields.VolumeSource.EMPTY_DIR -> hasLocalStorage |= onDisk();
                case Fields.VolumeSource.PERSISTENT_VOLUME_CLAIM -> claim();
                case Fields.VolumeSource.EPHEMERAL -> {
                    reader.value();
                    ofItsOwn = true;
                }
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        return ofItsOwn;
    }

    /** {@return whether the inline CSI volume at the reader's current field does not say that it is read-only} */
    private boolean isWritable() throws MalformedException {
        boolean writable = true;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.CSIVolumeSource.READ_ONLY) {
                writable = !reader.bool();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return writable;
    }

    private boolean onDisk() throws MalformedException {
        boolean onDisk = true;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.EmptyDirVolumeSource.MEDIUM) {
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
            if (reader.field() == Fields.PersistentVolumeClaimVolumeSource.CLAIM_NAME) {
                claims.add(reader.string());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }
}
