package dev.holdfast.operator.offline.dump.text;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Copies objects of an API server without the parts that may be secret, and that no command reads. */
public final class WithoutSecrets {
    /** The lists of containers in the spec and in the status of a pod. */
    private static final Set<String> CONTAINERS = Set.of(
            "containers",
            "initContainers",
            "ephemeralContainers",
            "containerStatuses",
            "initContainerStatuses",
            "ephemeralContainerStatuses");

    /**
     * The fields of containers, and of their hooks and probes, in which people write passwords and tokens, and the
     * states of containers, whose messages quote logs and command lines.
     */
    private static final Set<String> OF_CONTAINERS =
            Set.of("env", "envFrom", "command", "args", "httpHeaders", "path", "state", "lastState");

    /**
     * The fields in which drivers of volumes get passwords and addresses, by the field that they are in. Elsewhere
     * these names are keys, of labels for example.
     */
    private static final Map<String, String> OF_VOLUMES =
            Map.of("csi", "volumeAttributes", "flexVolume", "options", "gitRepo", "repository", "", "parameters");

    /** The fields with mount options, of which some are passwords: a StorageClass itself, and a spec. */
    private static final Set<String> OF_MOUNTS = Set.of("", "spec");

    /**
     * Where a field is.
     *
     * @param parent the field that has it; empty for an object itself, whose parameters are those of a StorageClass
     */
    private record Place(String parent, boolean inContainer) {
        static final Place OBJECT = new Place("", false);

        /** The place of fields of a part of an object, which is a spec or a template. */
        static final Place PART = new Place("spec", false);

        Place below(String field) {
            return new Place(field, inContainer || CONTAINERS.contains(field));
        }

        boolean isSecret(String field) {
            return field.equals(OF_VOLUMES.get(parent))
                    || (field.equals("mountOptions") && OF_MOUNTS.contains(parent))
                    || (inContainer && OF_CONTAINERS.contains(field));
        }
    }

    /** The annotations of Kubernetes, of autoscalers and of schedulers, which say how an object may be treated. */
    private static final Pattern READ_ANNOTATION = Pattern.compile(
            "([a-z0-9.-]+\\.)?(kubernetes\\.io|k8s\\.io|holdfast\\.dev|karpenter\\.sh|yunikorn\\.apache\\.org)/.*"
                    + "|vpa[A-Za-z]+");

    /** The annotations with the whole object or the whole command as a person wrote it. */
    private static final Set<String> AS_WRITTEN =
            Set.of("kubectl.kubernetes.io/last-applied-configuration", "kubernetes.io/change-cause");

    /** The kinds with a pod template, which is compared with another one later. */
    private static final Set<String> MARKED = Set.of("Deployment", "StatefulSet");

    /** The annotation of an object whose template was copied by this class. */
    private static final String MARK = "cli.holdfast.dev/without-secrets";

    private long annotations;
    private long fields;

    /** {@return whether an object is a copy without secrets} */
    public static boolean isCopy(JsonNode object) {
        return object.at("/metadata/annotations").has(MARK);
    }

    /** {@return a copy of a part of an object} */
    public static JsonNode of(ObjectNode part) {
        try (JsonParser json = part.traverse();
                TokenBuffer copy = new TokenBuffer(json)) {
            json.nextToken();
            new WithoutSecrets().value(json, Place.PART, copy);
            return TreeReading.tree(copy);
        } catch (IOException e) {
            throw new UncheckedIOException("a tree of JSON cannot be copied", e);
        }
    }

    /**
     * Copies the object at which the parser is.
     *
     * @param header the type of the object, if its list says it; then the object itself may lack it
     */
    public void object(JsonParser json, Header header, JsonGenerator out) throws IOException {
        out.writeStartObject();
        if (header.isComplete()) {
            out.writeStringField("apiVersion", header.apiVersion());
            out.writeStringField("kind", header.kind());
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            json.nextToken();
            if (header.isComplete() && (field.equals("apiVersion") || field.equals("kind"))) {
                json.skipChildren();
            } else if (field.equals("metadata") && MARKED.contains(header.kind())) {
                out.writeFieldName(field);
                metadata(json, out);
            } else {
                field(json, field, Place.OBJECT, out);
            }
        }
        out.writeEndObject();
    }

    /** Copies the metadata of an object, and marks the object. */
    private void metadata(JsonParser json, JsonGenerator out) throws IOException {
        boolean isMarked = false;
        out.writeStartObject();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            if (json.nextToken() == JsonToken.START_OBJECT && field.equals("annotations")) {
                out.writeObjectFieldStart(field);
                out.writeStringField(MARK, "true");
                annotations(json, out);
                isMarked = true;
            } else {
                field(json, field, Place.OBJECT.below("metadata"), out);
            }
        }
        if (!isMarked) {
            out.writeObjectFieldStart("annotations");
            out.writeStringField(MARK, "true");
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private void field(JsonParser json, String field, Place place, JsonGenerator out) throws IOException {
        if (field.equals("managedFields") && place.parent().equals("metadata")) {
            json.skipChildren();
        } else if (place.isSecret(field)) {
            fields++;
            json.skipChildren();
        } else {
            out.writeFieldName(field);
            if (field.equals("annotations") && json.currentToken() == JsonToken.START_OBJECT) {
                out.writeStartObject();
                annotations(json, out);
            } else {
                value(json, place.below(field), out);
            }
        }
    }

    private void annotations(JsonParser json, JsonGenerator out) throws IOException {
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            if (READ_ANNOTATION.matcher(name).matches() && !AS_WRITTEN.contains(name) && !name.equals(MARK)) {
                out.writeFieldName(name);
                out.copyCurrentStructure(json);
            } else {
                annotations++;
                json.skipChildren();
            }
        }
        out.writeEndObject();
    }

    private void value(JsonParser json, Place place, JsonGenerator out) throws IOException {
        if (json.currentToken() == JsonToken.START_OBJECT) {
            out.writeStartObject();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                field(json, field, place, out);
            }
            out.writeEndObject();
        } else if (json.currentToken() == JsonToken.START_ARRAY) {
            out.writeStartArray();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                value(json, place, out);
            }
            out.writeEndArray();
        } else {
            out.copyCurrentEvent(json);
        }
    }

    /** {@return what was left out, as a sentence; empty if nothing was} */
    public Optional<String> leftOut() {
        List<String> parts = new ArrayList<>();
        if (annotations > 0) {
            parts.add(annotations + (annotations == 1 ? " annotation" : " annotations") + " that no command reads");
        }
        if (fields > 0) {
            parts.add(fields + (fields == 1 ? " field" : " fields") + " of containers and volumes (environment,"
                    + " commands, states, requests of probes, parameters of drivers)");
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of("left out, as it may be secret: " + String.join(" and ", parts));
    }
}
