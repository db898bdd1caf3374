package dev.holdfast.operator.offline.dump.text;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

    /** The fields of volumes and of their classes in which drivers get passwords and addresses. */
    private static final Set<String> OF_VOLUMES = Set.of("volumeAttributes", "options", "parameters", "repository");

    /** The annotations of Kubernetes, of autoscalers and of schedulers, which say how an object may be treated. */
    private static final Pattern READ_ANNOTATION = Pattern.compile(
            "([a-z0-9.-]+\\.)?(kubernetes\\.io|k8s\\.io|holdfast\\.dev|karpenter\\.sh|yunikorn\\.apache\\.org)/.*"
                    + "|vpa[A-Za-z]+");

    /** The annotations with the whole object or the whole command as a person wrote it. */
    private static final Set<String> AS_WRITTEN =
            Set.of("kubectl.kubernetes.io/last-applied-configuration", "kubernetes.io/change-cause");

    private long annotations;
    private long fields;

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
            } else {
                field(json, field, false, out);
            }
        }
        out.writeEndObject();
    }

    private void field(JsonParser json, String field, boolean inContainer, JsonGenerator out) throws IOException {
        if (field.equals("managedFields")) {
            json.skipChildren();
        } else if (OF_VOLUMES.contains(field) || (inContainer && OF_CONTAINERS.contains(field))) {
            fields++;
            json.skipChildren();
        } else {
            out.writeFieldName(field);
            if (field.equals("annotations") && json.currentToken() == JsonToken.START_OBJECT) {
                annotations(json, out);
            } else {
                value(json, inContainer || CONTAINERS.contains(field), out);
            }
        }
    }

    private void annotations(JsonParser json, JsonGenerator out) throws IOException {
        out.writeStartObject();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            if (READ_ANNOTATION.matcher(name).matches() && !AS_WRITTEN.contains(name)) {
                out.writeFieldName(name);
                out.copyCurrentStructure(json);
            } else {
                annotations++;
                json.skipChildren();
            }
        }
        out.writeEndObject();
    }

    private void value(JsonParser json, boolean inContainer, JsonGenerator out) throws IOException {
        if (json.currentToken() == JsonToken.START_OBJECT) {
            out.writeStartObject();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                field(json, field, inContainer, out);
            }
            out.writeEndObject();
        } else if (json.currentToken() == JsonToken.START_ARRAY) {
            out.writeStartArray();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                value(json, inContainer, out);
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
