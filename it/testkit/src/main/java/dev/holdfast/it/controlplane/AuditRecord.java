package dev.holdfast.it.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * One answered request, as kube-apiserver wrote it down. Texts are empty where the request has no such thing.
 *
 * @param received when the request reached the server, by the server's clock
 * @param user in whose name it was made; the impersonated one, if it was an impersonation
 * @param verb Kubernetes' own: get, list, watch, create, update, patch, delete, deletecollection
 * @param group the API group of the resource, for example apps; empty for the core group
 * @param resource plural, for example pods; of a request for no resource its path, for example /version
 * @param subresource for example eviction
 * @param name the object's; empty for a collection, and for a create that left the name to the server
 * @param uid which object the body insisted on: {@code preconditions.uid}
 * @param effect whether the request was meant to change anything
 * @param code the status of the answer, as in HTTP
 * @param annotations of the Eviction in the body
 */
public record AuditRecord(
        Instant received,
        String user,
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

    /** Whether a request was meant to change anything. */
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
        boolean asked = event.path("requestURI").asText().contains("dryRun=All");
        return asked || options.path("dryRun").size() > 0 ? Effect.DRY_RUN : Effect.REAL;
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new TreeMap<>();
        object.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    /** {@return whether it was a request to evict a pod, dry or not, granted or not} */
    public boolean isEviction() {
        return verb.equals("create") && resource.equals("pods") && subresource.equals("eviction");
    }

    /** {@return whether it was a request to delete a pod, or all of a namespace, dry or not, granted or not} */
    public boolean isPodDeletion() {
        return (verb.equals("delete") || verb.equals("deletecollection"))
                && resource.equals("pods")
                && subresource.isEmpty();
    }

    /** {@return whether it changed the cluster: it was not dry, and it was granted} */
    public boolean tookEffect() {
        return effect == Effect.REAL && code >= 200 && code < 300;
    }
}
