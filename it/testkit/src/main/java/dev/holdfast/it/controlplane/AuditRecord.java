package dev.holdfast.it.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * One answered request from the audit log of kube-apiserver. A text is empty if the request has no such value.
 *
 * @param received when the request reached the server, by the server's clock
 * @param user who made the request; for an impersonation, the impersonated user
 * @param token the id of the ServiceAccount token that authenticated the request, which tells two processes of one
 * account apart
 * @param verb a Kubernetes verb: get, list, watch, create, update, patch, delete, deletecollection
 * @param group the API group of the resource, for example apps; empty for the core group
 * @param resource the plural name, for example pods; for a request without a resource, the URL path, for example
 * /version
 * @param subresource the subresource, for example eviction
 * @param name the object's name; empty for a collection, and for a create with a generated name
 * @param uid {@code preconditions.uid} of the request body
 * @param effect whether the request was a dry run or real
 * @param code the HTTP status of the answer
 * @param annotations the annotations of the object in the request body, for example of an Eviction; may be empty
 */
public record AuditRecord(
        Instant received,
        String user,
        String token,
        String verb,
        String group,
        String resource,
        String subresource,
        String namespace,
        String name,
        String uid,
        Effect effect,
        int code,
        Map<String, String> annotations) {

    private static final String TOKEN = "authentication.kubernetes.io/credential-id";

    /** Whether a request was a dry run or real. */
    public enum Effect {
        REAL,
        DRY_RUN
    }

    public AuditRecord {
        annotations = Map.copyOf(annotations);
    }

    static AuditRecord of(JsonNode event) {
        JsonNode object = event.path("objectRef");
        JsonNode body = event.path("requestObject");
        JsonNode options = body.has("deleteOptions") ? body.path("deleteOptions") : body;
        JsonNode user = event.has("impersonatedUser") ? event.path("impersonatedUser") : event.path("user");
        return new AuditRecord(
                Instant.parse(event.path("requestReceivedTimestamp").asText()),
                user.path("username").asText(),
                user.path("extra").path(TOKEN).path(0).asText(),
                event.path("verb").asText(),
                object.path("apiGroup").asText(),
                object.has("resource") ? object.path("resource").asText() : path(event),
                object.path("subresource").asText(),
                object.path("namespace").asText(),
                object.path("name").asText(),
                options.path("preconditions").path("uid").asText(),
                effect(event, options),
                event.path("responseStatus").path("code").asInt(),
                texts(body.path("metadata").path("annotations")));
    }

    private static String path(JsonNode event) {
        return event.path("requestURI").asText().replaceFirst("\\?.*", "");
    }

    private static Effect effect(JsonNode event, JsonNode options) {
        boolean inQuery = event.path("requestURI").asText().contains("dryRun=All");
        return inQuery || options.path("dryRun").size() > 0 ? Effect.DRY_RUN : Effect.REAL;
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new TreeMap<>();
        object.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    /** {@return whether the request is a pod eviction, even a dry run or one that the API server refused} */
    public boolean isEviction() {
        return verb.equals("create") && resource.equals("pods") && subresource.equals("eviction");
    }

    /** {@return whether the request deletes one pod or a collection of pods, even as a dry run or if it was refused} */
    public boolean isPodDeletion() {
        return (verb.equals("delete") || verb.equals("deletecollection"))
                && resource.equals("pods")
                && subresource.isEmpty();
    }

    /** {@return whether the request changes something, or would without {@code dryRun}} */
    public boolean isWrite() {
        return !verb.equals("get") && !verb.equals("list") && !verb.equals("watch");
    }

    /** {@return whether the request was real and the API server answered with a 2xx} */
    public boolean tookEffect() {
        return effect == Effect.REAL && code >= 200 && code < 300;
    }
}
