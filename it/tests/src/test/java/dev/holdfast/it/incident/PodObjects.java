package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Functions that read and edit Pod and Node objects in JSON. */
final class PodObjects {
    private static final int SCATTER = 0x9E3779B1;

    /**
     * How long a pod stays on a failed node: the {@code tolerationSeconds} that the admission plugin
     * DefaultTolerationSeconds sets.
     */
    private static final int STAYS_ON_FAILED_NODE_SECONDS = 300;

    private PodObjects() {}

    static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    static String namespace(JsonNode object) {
        return object.path("metadata").path("namespace").asText("");
    }

    static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    static Optional<String> label(JsonNode object, String key) {
        return Optional.ofNullable(
                object.path("metadata").path("labels").path(key).textValue());
    }

    /** {@return the integer value of an annotation of the pod, or the given value if the annotation is absent} */
    static int annotation(JsonNode pod, String key, int whenAbsent) {
        return Integer.parseInt(
                pod.path("metadata").path("annotations").path(key).asText(Integer.toString(whenAbsent)));
    }

    static Optional<String> node(JsonNode pod) {
        return Optional.ofNullable(pod.path("spec").path("nodeName").textValue());
    }

    static String phase(JsonNode pod) {
        return pod.path("status").path("phase").asText("");
    }

    static boolean isTerminating(JsonNode pod) {
        return pod.path("metadata").has("deletionTimestamp");
    }

    static boolean isOver(JsonNode pod) {
        return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
    }

    /** {@return a pseudo-random number that depends only on the pod's name, so that it is equal in each run} */
    static int scattered(JsonNode pod) {
        return name(pod).hashCode() * SCATTER;
    }

    /** {@return whether the pod's controller counts the pod: it is neither terminating nor finished} */
    static boolean isActive(JsonNode pod) {
        return !isTerminating(pod) && !isOver(pod);
    }

    static boolean isReady(JsonNode object) {
        return StreamSupport.stream(object.path("status").path("conditions").spliterator(), false)
                .anyMatch(it -> it.path("type").asText().equals("Ready")
                        && it.path("status").asText().equals("True"));
    }

    static boolean isControlledBy(JsonNode object, JsonNode owner) {
        return object.path("metadata")
                .path("ownerReferences")
                .path(0)
                .path("uid")
                .asText()
                .equals(uid(owner));
    }

    static boolean matches(JsonNode matchLabels, JsonNode object) {
        JsonNode labels = object.path("metadata").path("labels");
        return matchLabels.properties().stream().allMatch(it -> it.getValue().equals(labels.path(it.getKey())));
    }

    /** {@return a new object as a controller creates it, from the controller's template if there is one} */
    static ObjectNode made(String kind, String name, JsonNode owner, JsonNode template) {
        ObjectNode object = template.deepCopy();
        object.put("kind", kind);
        ObjectNode metadata = object.withObjectProperty("metadata");
        metadata.put("name", name);
        metadata.put("namespace", namespace(owner));
        metadata.withArrayProperty("ownerReferences")
                .addObject()
                .put("kind", owner.path("kind").asText())
                .put("name", name(owner))
                .put("uid", uid(owner))
                .put("controller", true);
        return object;
    }

    /** {@return a new pod as a controller creates it, with the API server's defaults} */
    static ObjectNode pod(String name, JsonNode owner, JsonNode template) {
        ObjectNode pod = made("Pod", name, owner, template);
        ArrayNode tolerations = pod.withObjectProperty("spec").withArrayProperty("tolerations");
        for (String taint : List.of("not-ready", "unreachable")) {
            tolerations
                    .addObject()
                    .put("key", "node.kubernetes.io/" + taint)
                    .put("operator", "Exists")
                    .put("effect", "NoExecute")
                    .put("tolerationSeconds", STAYS_ON_FAILED_NODE_SECONDS);
        }
        pod.withObjectProperty("status").put("phase", "Pending");
        return pod;
    }

    static Duration staysOnFailedNode() {
        return Duration.ofSeconds(STAYS_ON_FAILED_NODE_SECONDS);
    }

    /** Sets a condition of an object; the transition time changes only if the status changes. */
    static void condition(ObjectNode object, String type, String status, Instant now) {
        ArrayNode conditions = object.withObjectProperty("status").withArrayProperty("conditions");
        for (JsonNode known : conditions) {
            if (known.path("type").asText().equals(type)) {
                if (!known.path("status").asText().equals(status)) {
                    ((ObjectNode) known).put("status", status).put("lastTransitionTime", second(now));
                }
                return;
            }
        }
        conditions.addObject().put("type", type).put("status", status).put("lastTransitionTime", second(now));
    }

    /** Starts the deletion of a pod. */
    static void terminate(ObjectNode pod, Instant now) {
        pod.withObjectProperty("metadata").put("deletionTimestamp", second(now));
    }

    static String second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Sets labels of an object; an empty value removes the label. */
    static void label(ObjectNode object, Map<String, Optional<String>> labels) {
        ObjectNode all = object.withObjectProperty("metadata").withObjectProperty("labels");
        labels.forEach((key, value) -> value.ifPresentOrElse(it -> all.put(key, it), () -> all.remove(key)));
    }
}
