package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.ByteKeyedCache;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.FieldBuffer;
import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.MapEntry;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.injected.InjectedRules;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decoder of object metadata. Reused for all objects of a kind, one after the other. */
public final class MetadataDecoder {
    /** The kinds of Kubernetes whose names kinds of other API groups have, too. */
    private static final Set<String> KINDS = Set.of("ReplicaSet", "ReplicationController", "StatefulSet", "Job");

    /** The API groups of the kinds in {@link #KINDS}. */
    private static final Set<String> GROUPS = Set.of("", "apps", "batch");

    private static final byte[] MIRROR = ApiConstants.MIRROR.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LIMIT_RANGER = ApiConstants.LIMIT_RANGER.getBytes(StandardCharsets.US_ASCII);
    private static final List<byte[]> GANG_KEYS = ascii(ApiConstants.GANG_ANNOTATIONS);

    /**
     * The maximum number of bytes of an annotation that are read. A character has at most four bytes in UTF-8, so this
     * is more than {@link DisruptionAnnotations} uses of the longest one, the acknowledgements.
     */
    private static final int MOST_ANNOTATION_BYTES = 4 * (DisruptionAnnotations.MOST_ACKNOWLEDGEMENTS + 1);

    /** The maximum number of bytes of the annotation with a pod's rules; a longer one counts as invalid. */
    public static final int MOST_RULES_BYTES = 8 << 10;

    private static final byte[] RULES = AnnotationRules.ANNOTATION.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] INJECTED = InjectedRules.ANNOTATION.getBytes(StandardCharsets.US_ASCII);

    private static final List<byte[]> AUTOSCALER_KEYS = ascii(ApiConstants.AUTOSCALER_ANNOTATIONS);

    private static final List<byte[]> DISRUPTION_KEYS = ascii(DisruptionAnnotations.KEYS);
    private static final List<byte[]> NODE_KEYS = ascii(Labels.NODE_KEYS);
    private static final int SLOTS = 16 << 10;

    /** The maximum number of labels that are read for kinds of which only region and zone are used. */
    private static final int MOST_LABELS = 1_024;

    /**
     * The number of entries in the cache of region and zone labels. The number suffices: a cluster has only a few pairs
     * of region and zone.
     */
    private static final int ZONE_SLOTS = 1 << 10;

    private final StringCache stringCache;
    private final ByteKeyedCache<LabelBlock> blocks;
    private final ByteKeyedCache<Labels> places;
    private final ByteKeyedCache<Optional<Controller>> owners;

    /**
     * The object's labels except region and zone, which are in {@link #nodePairs}. Each of the two fields is decoded
     * through a cache of its own: 1000 pod templates in 3 zones need 1003 entries instead of 3000.
     */
    private final FieldBuffer labels = new FieldBuffer();

    private final FieldBuffer nodePairs = new FieldBuffer();
    private final FieldBuffer injectedRules = new FieldBuffer();
    private final FieldBuffer annotationRules = new FieldBuffer();
    private final FieldBuffer autoscalerNotes = new FieldBuffer();
    private boolean rulesAreTooLong;
    private boolean recordIsTooLong;
    private boolean noteIsTooLong;
    private final Map<String, String> marks = new HashMap<>();

    private String name = "";
    private String namespace = "";
    private String uid = "";
    private long resourceVersion = -1;
    private long generation;
    private long creationTime = TimestampDecoder.NONE;
    private long deletionTime = TimestampDecoder.NONE;
    private boolean mirror;
    private boolean gangMember;
    private boolean autoscaled;
    private boolean hasDefaults;
    private Optional<Controller> controller = Optional.empty();

    private static List<byte[]> ascii(Collection<String> keys) {
        return keys.stream().map(key -> key.getBytes(StandardCharsets.US_ASCII)).toList();
    }

    public MetadataDecoder(StringCache stringCache) {
        this(stringCache, MOST_LABELS);
    }

    /**
     * Creates a decoder.
     *
     * @param mostLabels how many labels of an object are read; if it has more, all are unread
     */
    public MetadataDecoder(StringCache stringCache, int mostLabels) {
        this.stringCache = stringCache;
        ProtoReader reader = new ProtoReader();
        LabelPairs pairs = new LabelPairs(stringCache);
        this.blocks =
                new ByteKeyedCache<>(SLOTS, 4 << 20, fields -> LabelBlock.of(pairs.read(fields, reader), mostLabels));
        this.places = new ByteKeyedCache<>(ZONE_SLOTS, 64 << 10, fields -> pairs.read(fields, reader));
        this.owners = new ByteKeyedCache<>(SLOTS, 2 << 20, MetadataDecoder::owner);
    }

    public void clear() {
        labels.clear();
        nodePairs.clear();
        injectedRules.clear();
        annotationRules.clear();
        autoscalerNotes.clear();
        rulesAreTooLong = false;
        recordIsTooLong = false;
        noteIsTooLong = false;
        name = "";
        namespace = "";
        uid = "";
        resourceVersion = -1;
        generation = 0;
        creationTime = TimestampDecoder.NONE;
        deletionTime = TimestampDecoder.NONE;
        mirror = false;
        gangMember = false;
        autoscaled = false;
        hasDefaults = false;
        marks.clear();
        controller = Optional.empty();
    }

    /** Reads the reader's current field as metadata. */
    public void read(ProtoReader reader) throws MalformedException {
        read(reader, KnownIds.NONE);
    }

    /**
     * Reads the reader's current field as metadata.
     *
     * @param known the uids of objects decoded before, whose strings are reused
     */
    public void read(ProtoReader reader, KnownIds known) throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.ObjectMeta.NAME -> name = reader.string();
                case Fields.ObjectMeta.NAMESPACE -> namespace = stringCache.of(reader);
                case Fields.ObjectMeta.UID -> {
                    int from = reader.value();
                    uid = known.id(reader.bytes(), from, reader.position());
                }
                case Fields.ObjectMeta.RESOURCE_VERSION -> resourceVersion = reader.version();
                case Fields.ObjectMeta.GENERATION -> generation = reader.int64();
                case Fields.ObjectMeta.CREATION_TIMESTAMP -> creationTime = TimestampDecoder.read(reader);
                case Fields.ObjectMeta.DELETION_TIMESTAMP -> deletionTime = TimestampDecoder.read(reader);
                case Fields.ObjectMeta.LABELS -> label(reader);
                case Fields.ObjectMeta.ANNOTATIONS -> annotation(reader);
                case Fields.ObjectMeta.OWNER_REFERENCES -> owner(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    /**
     * {@return the name of the object}
     *
     * @param object the bytes of the object; an error gives their offset in the response body
     * @throws MalformedException if the metadata has no name
     */
    public String name(ByteSlice object) throws MalformedException {
        return required(name, "name", object);
    }

    public String namespace(ByteSlice object) throws MalformedException {
        return required(namespace, "namespace", object);
    }

    public String uid(ByteSlice object) throws MalformedException {
        return required(uid, "uid", object);
    }

    private static String required(String value, String what, ByteSlice object) throws MalformedException {
        if (value.isEmpty()) {
            throw new MalformedException(object.offset(), "an object without a " + what);
        }
        return value;
    }

    public long resourceVersion(ByteSlice object) throws MalformedException {
        if (resourceVersion < 0) {
            throw new MalformedException(object.offset(), "an object without a resourceVersion");
        }
        return resourceVersion;
    }

    /** {@return the generation of the spec; 0 if the object has none} */
    public long generation() {
        return generation;
    }

    /** {@return all labels of the object} */
    public Labels labels() throws MalformedException {
        return ownLabels().labels().withNodePairsOf(nodePairs());
    }

    /** {@return the labels except region and zone} */
    public LabelBlock ownLabels() throws MalformedException {
        return labels.isEmpty() ? LabelBlock.NONE : labels.in(blocks);
    }

    /** {@return the labels for region and zone; a pod gets these labels from its node} */
    public Labels nodePairs() throws MalformedException {
        return nodePairs.isEmpty() ? Labels.none() : nodePairs.in(places);
    }

    public Instant creationTime() {
        return Instant.ofEpochSecond(creationTime == TimestampDecoder.NONE ? 0 : creationTime);
    }

    public Optional<Instant> deletionTime() {
        return TimestampDecoder.instant(deletionTime);
    }

    public boolean mirror() {
        return mirror;
    }

    /** {@return whether an annotation makes a pod a member of a gang, whose pods are scheduled and deleted together} */
    public boolean gangMember() {
        return gangMember;
    }

    /** {@return whether an annotation says that an autoscaler sets the requests of a pod} */
    public boolean autoscaled() {
        return autoscaled;
    }

    /** {@return the annotations of an autoscaler, as fields of the metadata; none if one of them is too long} */
    public FieldBuffer autoscalerNotes() {
        return noteIsTooLong ? new FieldBuffer() : autoscalerNotes;
    }

    /** {@return whether an annotation says that LimitRanges set requests or limits of a pod} */
    public boolean hasDefaults() {
        return hasDefaults;
    }

    /** {@return the disruption annotations of the object; acknowledgements count on namespaces only} */
    public DisruptionAnnotations disruptionAnnotations() {
        marks.remove(DisruptionAnnotations.ACKNOWLEDGE);
        return withAcknowledgements();
    }

    /** {@return the disruption annotations of a namespace} */
    public DisruptionAnnotations withAcknowledgements() {
        return marks.isEmpty() ? DisruptionAnnotations.none() : DisruptionAnnotations.of(marks);
    }

    /** {@return the annotation with the record of injected rules, as a field of the metadata; empty without one} */
    public FieldBuffer injectedRules() {
        return injectedRules;
    }

    /**
     * {@return the annotation with rules of a pod, as a field of the metadata; empty without one, or if it is too long}
     */
    public FieldBuffer annotationRules() {
        return annotationRules;
    }

    /** {@return whether the record of injected rules is too long to be read} */
    public boolean recordIsTooLong() {
        return recordIsTooLong;
    }

    /** {@return whether the annotation with rules is too long to be read} */
    public boolean rulesAreTooLong() {
        return rulesAreTooLong;
    }

    public Optional<Controller> controller() {
        return controller;
    }

    private void label(ProtoReader reader) throws MalformedException {
        int start = reader.fieldStart();
        boolean ofNode = false;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == MapEntry.KEY) {
                ofNode = indexOf(NODE_KEYS, reader, reader.value()) >= 0;
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        (ofNode ? nodePairs : labels).add(reader, start);
    }

    private void annotation(ProtoReader reader) throws MalformedException {
        int start = reader.fieldStart();
        int outer = reader.enter();
        boolean found = false;
        boolean ofAutoscaler = false;
        boolean injected = false;
        boolean rules = false;
        int bytes = 0;
        int mark = -1;
        String value = "";
        while (reader.next()) {
            if (reader.field() == MapEntry.KEY) {
                int from = reader.value();
                found = reader.is(from, MIRROR);
                injected = reader.is(from, INJECTED);
                rules = reader.is(from, RULES);
                gangMember |= indexOf(GANG_KEYS, reader, from) >= 0;
                ofAutoscaler = indexOf(AUTOSCALER_KEYS, reader, from) >= 0;
                hasDefaults |= reader.is(from, LIMIT_RANGER);
                mark = indexOf(DISRUPTION_KEYS, reader, from);
            } else if (reader.field() == MapEntry.VALUE && mark >= 0) {
                value = reader.string(MOST_ANNOTATION_BYTES);
            } else if (reader.field() == MapEntry.VALUE && rules) {
                int from = reader.value();
                bytes = reader.position() - from;
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        mirror |= found;
        autoscaled |= ofAutoscaler;
        if (ofAutoscaler && reader.position() - start <= AutoscalerUpdates.MOST_BYTES) {
            autoscalerNotes.add(reader, start);
        } else if (ofAutoscaler) {
            noteIsTooLong = true;
        }
        if (injected && reader.position() - start <= InjectedRules.MOST_CHARACTERS) {
            injectedRules.add(reader, start);
        } else if (injected) {
            recordIsTooLong = true;
        }
        if (rules && bytes <= MOST_RULES_BYTES) {
            annotationRules.add(reader, start);
        } else if (rules) {
            rulesAreTooLong = true;
        }
        if (mark >= 0) {
            marks.put(DisruptionAnnotations.KEYS.get(mark), value);
        }
    }

    /**
     * {@return the index in the list of the text that equals the field just read; -1 if no text equals it} Written as a
     * loop and not as a stream, because it runs for every label.
     *
     * @param from the index in the reader's array where the bytes of that field begin
     */
    private static int indexOf(List<byte[]> words, ProtoReader reader, int from) {
        for (int i = 0; i < words.size(); i++) {
            if (reader.is(from, words.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private void owner(ProtoReader reader) throws MalformedException {
        int from = reader.value();
        if (controller.isEmpty()) {
            controller = owners.of(reader.bytes(), from, reader.position(), reader.offset(from));
        }
    }

    /** {@return the controller that this owner reference names; empty if the owner is not the controller} */
    private static Optional<Controller> owner(ByteSlice reference) throws MalformedException {
        String kind = "";
        String name = "";
        String uid = "";
        String apiVersion = "";
        boolean controls = false;
        ProtoReader reader = new ProtoReader();
        reader.open(reference);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.OwnerReference.KIND -> kind = reader.string();
                case Fields.OwnerReference.NAME -> name = reader.string();
                case Fields.OwnerReference.UID -> uid = reader.string();
                case Fields.OwnerReference.API_VERSION -> apiVersion = reader.string();
                case Fields.OwnerReference.CONTROLLER -> controls = reader.bool();
                default -> reader.skip();
            }
        }
        return controls ? Optional.of(new Controller(known(kind, apiVersion), name, uid)) : Optional.empty();
    }

    /** {@return the kind, with its API group if another group has a kind of the same name as Kubernetes} */
    private static String known(String kind, String apiVersion) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return KINDS.contains(kind) && !GROUPS.contains(group) ? kind + "." + group : kind;
    }
}
