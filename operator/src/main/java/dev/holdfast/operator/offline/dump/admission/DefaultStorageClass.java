package dev.holdfast.operator.offline.dump.admission;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.MapEntry;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The StorageClass of claims that name none, as the admission plugin DefaultStorageClass chooses it: the newest of the
 * default classes, and of several equally new ones the first by name.
 */
final class DefaultStorageClass {
    private static final Set<String> DEFAULT =
            Set.of("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class");
    private static final String CLASS = "volume.beta.kubernetes.io/storage-class";

    private Optional<Candidate> chosen = Optional.empty();

    /** @param created in seconds since 1970; 0 if the class does not say it */
    private record Candidate(String name, long created) {
        boolean isBefore(Candidate other) {
            return created != other.created ? created > other.created : name.compareTo(other.name) < 0;
        }
    }

    /** Notes a class, which may be a default one. */
    void read(String name, ByteSlice object) throws MalformedException {
        Metadata metadata = Metadata.of(object);
        if (DEFAULT.stream()
                .anyMatch(key -> "true".equals(metadata.annotations().get(key)))) {
            Candidate candidate = new Candidate(name, metadata.created());
            chosen = chosen.filter(it -> it.isBefore(candidate)).or(() -> Optional.of(candidate));
        }
    }

    /** {@return the class of claims that name none; empty if no class is a default one} */
    Optional<String> name() {
        return chosen.map(Candidate::name);
    }

    /** {@return whether a claim names a class, or says by an empty name that it wants none} */
    static boolean isNamedIn(ByteSlice claim) throws MalformedException {
        boolean named = Metadata.of(claim).annotations().containsKey(CLASS);
        ProtoReader reader = new ProtoReader();
        reader.open(claim);
        while (reader.next()) {
            if (reader.field() != Fields.PersistentVolumeClaim.SPEC) {
                reader.skip();
                continue;
            }
            int outer = reader.enter();
            while (reader.next()) {
                named |= reader.field() == Fields.PersistentVolumeClaimSpec.STORAGE_CLASS_NAME;
                reader.skip();
            }
            reader.leave(outer);
        }
        return named;
    }

    /** @param created in seconds since 1970; 0 if it is unknown */
    private record Metadata(Map<String, String> annotations, long created) {
        static Metadata of(ByteSlice object) throws MalformedException {
            Map<String, String> annotations = new HashMap<>();
            long created = 0;
            ProtoReader reader = new ProtoReader();
            reader.open(object);
            while (reader.next()) {
                if (reader.field() != Fields.PartialObjectMetadata.METADATA) {
                    reader.skip();
                    continue;
                }
                int outer = reader.enter();
                while (reader.next()) {
                    switch (reader.field()) {
                        case Fields.ObjectMeta.ANNOTATIONS -> entry(reader, annotations);
                        case Fields.ObjectMeta.CREATION_TIMESTAMP -> created = seconds(reader);
                        default -> reader.skip();
                    }
                }
                reader.leave(outer);
            }
            return new Metadata(annotations, created);
        }

        private static void entry(ProtoReader reader, Map<String, String> annotations) throws MalformedException {
            String key = "";
            String value = "";
            int outer = reader.enter();
            while (reader.next()) {
                switch (reader.field()) {
                    case MapEntry.KEY -> key = reader.string();
                    case MapEntry.VALUE -> value = reader.string();
                    default -> reader.skip();
                }
            }
            reader.leave(outer);
            annotations.put(key, value);
        }

        private static long seconds(ProtoReader reader) throws MalformedException {
            long seconds = 0;
            int outer = reader.enter();
            while (reader.next()) {
                if (reader.field() == Fields.Timestamp.SECONDS) {
                    seconds = reader.int64();
                } else {
                    reader.skip();
                }
            }
            reader.leave(outer);
            return seconds;
        }
    }
}
