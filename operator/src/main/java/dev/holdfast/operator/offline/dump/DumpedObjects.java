package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.offline.dump.admission.Admission;
import dev.holdfast.operator.offline.dump.json.JsonTranscoder;
import dev.holdfast.operator.offline.dump.json.MessageType;
import dev.holdfast.operator.offline.dump.text.Header;
import dev.holdfast.operator.offline.dump.text.ObjectText;
import dev.holdfast.operator.offline.dump.text.TreeReading;
import dev.holdfast.operator.offline.dump.text.WrongDumpException;
import dev.holdfast.policies.model.NamespacedName;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** Collects the objects of dumps, one after the other. */
final class DumpedObjects {
    private static final String KIND = "kind";
    private static final String METADATA = "metadata";
    private static final String ITEMS = "items";

    /** The field of a watch event with the object that changed. */
    private static final String WATCHED = "object";

    private static final String GROUP = "holdfast.dev/";
    private static final String EVENT = "v1/Event";
    private static final String CONFIG_MAP = "v1/ConfigMap";
    private static final Set<String> CLASSES =
            Set.of("scheduling.k8s.io/v1/PriorityClass", "node.k8s.io/v1/RuntimeClass");

    /** The kinds of which only the operator's own objects are kept, as they are written. */
    private static final Set<String> AS_WRITTEN = Set.of(EVENT, CONFIG_MAP, WholeObjects.STATUS);

    private static final int MOST_WARNINGS = 20;

    private static final String NO_OBJECT = "it lacks `apiVersion` or `kind`, so it is no object of Kubernetes";

    private final Map<String, MessageType> messages = MessageType.readAll();
    private final Map<String, ReadKind> kinds = ReadKind.of(messages);
    private final MessageType metadataType = Objects.requireNonNull(messages.get("ObjectMeta"));
    private final JsonTranscoder transcoder;
    private final LongConsumer progress;
    private final AsWritten asWritten;

    private final CollectedObjects objects = new CollectedObjects();
    private final WholeObjects wholeObjects = new WholeObjects();
    private final Map<String, Integer> unread = new TreeMap<>();
    private final Map<String, Integer> warnings = new LinkedHashMap<>();
    private final Set<String> unknownFields = new HashSet<>();
    private final Repetitions repetitions = new Repetitions();
    private final Admission admission = new Admission();

    private String file = "";
    private Pages pages = Pages.REFUSED;
    private String continueToken = "";
    private Optional<LastObject> last = Optional.empty();
    private Optional<String> leftOut = Optional.empty();
    private boolean inList;

    /** Removes the object that was read last. */
    private Runnable removal = () -> {};

    private long count;
    private long countBefore;
    private int text;

    /** Whether a list may be only one page of several. */
    enum Pages {
        /** No: a file with one page lacks the others. */
        REFUSED,
        /** Yes: the caller reads the other pages too. */
        ACCEPTED
    }

    /** What to do with an object that is not of a Kubernetes API. */
    private enum Foreign {
        REFUSED,
        LEFT_OUT
    }

    DumpedObjects(LongConsumer progress, Instant latest, AsWritten asWritten) {
        this.asWritten = asWritten;
        this.transcoder = new JsonTranscoder(this::unknown, latest);
        this.progress = progress;
    }

    void begin(String nextFile, Pages inIt) {
        file = nextFile;
        pages = inIt;
        continueToken = "";
        last = Optional.empty();
        leftOut = Optional.empty();
        countBefore = count;
        text++;
    }

    /** Leaves the text out, or what is no object in it. */
    void leaveOut(String why) {
        leftOut = leftOut.or(() -> Optional.of(why));
    }

    /** Warns of what was left out, and of a last object that may not be whole. */
    void end() {
        leftOut.ifPresent(why -> warn((count > countBefore ? "a part of " : "") + file + " is left out: " + why));
        last.filter(LastObject::mayBeCut)
                .ifPresent(object -> warn(file + ": the last object, " + object.shown() + ", has no `"
                        + (object.hasSpec() ? "status" : "spec")
                        + "`: if the file is truncated, verdicts are missing"));
    }

    /** {@return the token for the page after the list that was read last; empty if there is none} */
    String continueToken() {
        return continueToken;
    }

    Dump dump() {
        List<String> sentences = new ArrayList<>();
        sentences.addAll(admission.warnings());
        repetitions.warning().ifPresent(sentences::add);
        warnings.forEach((text, times) -> sentences.add(times == 1 ? text : text + " (" + times + " times)"));
        return new Dump(
                admission.admitted(objects.facts()),
                wholeObjects.policies(),
                new Dump.Numbers(objects.counts(), unread),
                sentences,
                objects.volumes(admission),
                objects.selectors(),
                wholeObjects.events(),
                new DumpTimes(transcoder.newest(), admission.taints()),
                List.of(),
                wholeObjects.configMaps());
    }

    /** Reads the object at which the parser is, which may be a list of others, or each object of a bare array. */
    void read(JsonParser json) throws IOException {
        each(json, Foreign.REFUSED);
    }

    /** Reads the same, if it is of Kubernetes: others are in folders too. */
    void readIfObject(JsonParser json) throws IOException {
        each(json, Foreign.LEFT_OUT);
    }

    private void each(JsonParser json, Foreign foreign) throws IOException {
        inList = json.currentToken() == JsonToken.START_ARRAY;
        if (!inList) {
            one(json, foreign);
            return;
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            one(json, foreign);
        }
    }

    private void one(JsonParser json, Foreign foreign) throws IOException {
        if (json.currentToken() == JsonToken.START_OBJECT || foreign == Foreign.REFUSED) {
            object(json, Header.UNKNOWN, foreign);
        } else {
            json.skipChildren();
            leaveOut(NO_OBJECT);
        }
    }

    private void object(JsonParser json, Header inherited, Foreign foreign) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw wrong(
                    json,
                    "a Kubernetes object begins with a brace or with fields such as `kind`, and this is "
                            + json.getText());
        }
        Header header = inherited;
        ObjectReader object = new ObjectReader();
        boolean isList = false;
        boolean isEvent = false;
        removal = () -> {};
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "apiVersion" -> header = new Header(json.getValueAsString(""), header.kind());
                case KIND -> header = new Header(header.apiVersion(), json.getValueAsString(""));
                case ITEMS -> {
                    if (header.kind().isEmpty() || header.isList()) {
                        isList = true;
                        items(json, header.ofItems());
                    } else {
                        object.field(json, name, header);
                    }
                }
                case WATCHED -> {
                    isEvent = header.equals(Header.UNKNOWN) && json.currentToken() == JsonToken.START_OBJECT;
                    if (!isEvent) {
                        object.field(json, name, header);
                    } else if (Set.of("BOOKMARK", "ERROR").contains(object.watchType())) {
                        json.skipChildren();
                    } else {
                        inList = false;
                        object(json, Header.UNKNOWN, foreign);
                    }
                }
                default -> {
                    ObjectText.refuseMessage(json, name);
                    object.field(json, name, header);
                }
            }
        }
        if (isEvent) {
            object.endOfEvent(json);
        } else if (header.isList()) {
            object.endOfList(json);
        } else if (isList) {
            // kubectl writes the kind after the items, so a YAML list that was cut has none.
            throw wrong(json, "a list with `items` ends here without a `kind` that ends in List: it is truncated");
        } else if (foreign == Foreign.LEFT_OUT && !header.isComplete()) {
            leaveOut(NO_OBJECT);
        } else {
            object.end(json, header, foreign);
        }
    }

    private void items(JsonParser json, Header header) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw wrong(json, "`items` must be a list");
        }
        inList = true;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            object(json, header, Foreign.REFUSED);
        }
    }

    /** The object that is being read. Its fields are kept until the kind is known, which kubectl writes first. */
    private final class ObjectReader {
        private final Map<String, TokenBuffer> kept = new LinkedHashMap<>();
        private boolean hasResourceVersion;
        private String namespace = "";
        private String name = "";
        private String uid = "";
        private boolean begun;
        private boolean hasSpec;
        private boolean hasStatus;

        void field(JsonParser json, String field, Header header) throws IOException {
            if (header.isComplete() && !header.isList()) {
                ofKind(json, field, header);
            } else {
                TokenBuffer buffer = new TokenBuffer(json);
                buffer.copyCurrentStructure(json);
                kept.put(field, buffer);
            }
        }

        private void ofKind(JsonParser json, String field, Header header) throws IOException {
            ReadKind kind = kinds.get(header.id());
            if (kind != null && !asWritten.mayKeep(header.kind())) {
                ofObject(json, field, kind);
            } else if (kind != null
                    || header.apiVersion().startsWith(GROUP)
                    || AS_WRITTEN.contains(header.id())
                    || CLASSES.contains(header.id())) {
                TokenBuffer buffer = new TokenBuffer(json);
                buffer.copyCurrentStructure(json);
                kept.put(field, buffer);
            } else {
                json.skipChildren();
            }
        }

        private void ofObject(JsonParser json, String field, ReadKind kind) throws IOException {
            if (!begun) {
                transcoder.begin();
                begun = true;
            }
            hasSpec |= field.equals("spec");
            hasStatus |= field.equals("status");
            if (field.equals(METADATA)) {
                metadata(json);
            } else {
                transcoder.field(json, kind.message(), field);
            }
        }

        private void metadata(JsonParser json) throws IOException {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw wrong(json, "`metadata` must be an object");
            }
            int start = transcoder.open(Fields.PartialObjectMetadata.METADATA);
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                switch (field) {
                    case "name" -> name = json.getValueAsString("");
                    case "namespace" -> namespace = json.getValueAsString("");
                    case "uid" -> uid = json.getValueAsString("");
                    case "resourceVersion" -> hasResourceVersion = true;
                    default -> {}
                }
                transcoder.field(json, metadataType, field);
            }
            transcoder.close(start);
        }

        /** {@return the type of a watch event, if it was read: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR} */
        String watchType() throws IOException {
            TokenBuffer type = kept.get("type");
            return type == null ? "" : TreeReading.tree(type).asText();
        }

        /** Ends an event, as {@code kubectl get -w --output-watch-events} prints it. */
        void endOfEvent(JsonParser json) throws IOException {
            if (!watchType().isEmpty()) {
                last = Optional.empty();
            }
            switch (watchType()) {
                case "DELETED" -> removal.run();
                case "ERROR" ->
                    throw wrong(
                            json,
                            "an event of type ERROR ends here: the watch broke off, so later changes are missing: run"
                                    + " kubectl again");
                default -> {}
            }
        }

        /** Refuses one page of a list in a file, as the others are missing. */
        void endOfList(JsonParser json) throws IOException {
            TokenBuffer ofList = kept.get(METADATA);
            continueToken = ofList == null
                    ? ""
                    : TreeReading.tree(ofList).path("continue").asText("");
            if (pages == Pages.REFUSED && !continueToken.isEmpty()) {
                throw wrong(json, "this list is only one page of several (`metadata.continue`): give the whole list");
            }
        }

        void end(JsonParser json, Header header, Foreign foreign) throws IOException {
            if (!header.isComplete()) {
                throw wrong(
                        json,
                        "an object without " + (header.kind().isEmpty() ? "`kind`" : "`apiVersion`")
                                + " ends here: it is not a Kubernetes object");
            }
            ReadKind kind = kinds.get(header.id());
            if (kind != null) {
                for (Map.Entry<String, TokenBuffer> field : kept.entrySet()) {
                    try (JsonParser content = field.getValue().asParser(json)) {
                        content.nextToken();
                        ofObject(content, field.getKey(), kind);
                    }
                }
                add(json, kind);
                if (asWritten.mayKeep(header.kind())) {
                    keepAsWritten(tree(header));
                }
            } else if (header.apiVersion().startsWith(GROUP)) {
                removal = wholeObjects.addPolicy(tree(header), file, repetitions);
            } else if (header.id().equals(EVENT)) {
                wholeObjects.addEvent(tree(header));
            } else if (header.id().equals(WholeObjects.STATUS) && foreign == Foreign.REFUSED) {
                throw wrong(json, WholeObjects.failure(tree(header)));
            } else if (header.id().equals(CONFIG_MAP) && WholeObjects.hasComponent(kept.get(METADATA))) {
                removal = wholeObjects.addConfigMap(tree(header));
            } else if (CLASSES.contains(header.id())) {
                ofPods(tree(header));
            } else {
                unread.merge(header.kind(), 1, Integer::sum);
                warnOfVersion(header);
            }
            progress.accept(++count);
        }

        private void keepAsWritten(ObjectNode workload) {
            asWritten.see(workload);
            Runnable before = removal;
            removal = () -> {
                before.run();
                asWritten.forget(AsWritten.key(workload));
            };
        }

        /** Notes a PriorityClass or a RuntimeClass. */
        private void ofPods(ObjectNode written) throws IOException {
            admission.read(written);
            asWritten.seeClass(written);
            removal = () -> {
                admission.remove(written);
                asWritten.forget(AsWritten.key(written));
            };
        }

        private ObjectNode tree(Header header) throws IOException {
            ObjectNode object = TreeReading.object();
            object.put("apiVersion", header.apiVersion()).put(KIND, header.kind());
            for (Map.Entry<String, TokenBuffer> field : kept.entrySet()) {
                object.set(field.getKey(), TreeReading.tree(field.getValue()));
            }
            return object;
        }

        private void add(JsonParser json, ReadKind kind) throws IOException {
            if (name.isEmpty()) {
                throw wrong(json, "a " + kind.kind() + " without `metadata.name` ends here");
            }
            boolean usual = kind.scope() == ReadKind.Scope.NAMESPACE && namespace.isEmpty();
            String place = usual ? WholeObjects.DEFAULT_NAMESPACE : namespace;
            if (usual) {
                transcoder.metadata(Fields.PartialObjectMetadata.METADATA, Fields.ObjectMeta.NAMESPACE, place);
            }
            if (uid.isEmpty()) {
                transcoder.metadata(
                        Fields.PartialObjectMetadata.METADATA,
                        Fields.ObjectMeta.UID,
                        kind.kind() + "/" + place + "/" + name);
            }
            if (!hasResourceVersion) {
                transcoder.metadata(Fields.PartialObjectMetadata.METADATA, Fields.ObjectMeta.RESOURCE_VERSION, "1");
            }
            String described = kind.kind() + " " + WholeObjects.shown(place, name);
            ReadObject object;
            try {
                object = kind.decoding().decode(transcoder.object());
                NamespacedName named = new NamespacedName(place, name);
                admission.read(kind.kind(), named, hasResourceVersion || !uid.isEmpty(), transcoder.object());
            } catch (MalformedException e) {
                // Its first words are the place in a text that people do not see.
                throw wrong(
                        json, described + ": " + String.valueOf(e.getMessage()).replaceFirst("^byte \\d+: ", ""));
            }
            Optional<String> refused = RefusedValues.in(object);
            if (refused.isPresent()) {
                throw wrong(json, described + ": " + refused.get());
            }
            last = ObjectText.isYaml(json)
                    ? Optional.of(new LastObject(kind.kind(), described, hasResourceVersion, hasSpec, hasStatus))
                    : Optional.empty();
            CollectedObjects.Key key = new CollectedObjects.Key(kind.kind(), place, name);
            removal = () -> objects.remove(key);
            if (objects.add(json, key, new CollectedObjects.Read(kind, object, uid, inList ? 0 : text))) {
                repetitions.add(described, file);
            }
        }
    }

    /** Warns of an object of a version that is not read: its fields may mean something else. */
    private void warnOfVersion(Header header) {
        kinds.keySet().stream()
                .filter(id -> id.endsWith("/" + header.kind()))
                .map(id -> new Header(id.substring(0, id.lastIndexOf('/')), header.kind()))
                .filter(known -> known.group().equals(header.group()))
                .forEach(known -> warn(
                        header.kind() + " of " + header.apiVersion() + " is not read, only of " + known.apiVersion()));
    }

    private void unknown(MessageType message, String field) {
        if (unknownFields.add(message + "." + field)) {
            warn(file + ": " + message + " has no field `" + field + "`: it is ignored");
        }
    }

    private void warn(String text) {
        if (warnings.size() < MOST_WARNINGS || warnings.containsKey(text)) {
            warnings.merge(text, 1, Integer::sum);
        } else {
            warnings.merge("further problems of this kind are not listed", 1, Integer::sum);
        }
    }

    private static JsonProcessingException wrong(JsonParser json, String message) {
        return new WrongDumpException(message, json.currentLocation());
    }
}
