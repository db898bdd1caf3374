package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.simulate.Change;
import java.util.Optional;

/** Adds the status that a cluster would give to nodes and pods written without one. Written fields stay as they are. */
final class WrittenStatus {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String STATUS = "status";
    private static final String READY = "{\"type\": \"Ready\", \"status\": \"True\"}";
    private static final String ROOM = """
        {"cpu": "1000", "memory": "4Ti", "pods": "110"}
        """;

    private WrittenStatus() {}

    /**
     * Makes a node without a status Ready, with room for pods. Adds the label of its name, as a kubelet would: unless
     * an API server has stored the node, which then has the labels that it shall have.
     */
    static void completeNode(ObjectNode node) {
        ObjectNode metadata = node.withObjectProperty("metadata");
        ObjectNode labels = metadata.withObjectProperty("labels");
        boolean stored = metadata.has("uid") || metadata.has("resourceVersion");
        if (!stored && !labels.has("kubernetes.io/hostname")) {
            labels.put("kubernetes.io/hostname", CreatedObjects.name(node));
        }
        ObjectNode status = node.withObjectProperty(STATUS);
        if (!status.has("conditions")) {
            status.withArrayProperty("conditions").add(tree(READY));
        }
        if (!status.has("allocatable") && !status.has("capacity")) {
            status.set("allocatable", tree(ROOM));
        }
    }

    /** {@return the change that a file asks for that says {@code unschedulable: false}; empty for other objects} */
    static Optional<Change> uncordon(ObjectNode object) {
        JsonNode unschedulable = object.at("/spec/unschedulable");
        return Optional.<Change>of(new Change.Uncordon(CreatedObjects.name(object)))
                .filter(_ -> object.path("kind").asText().equals("Node"))
                .filter(_ -> unschedulable.isBoolean() && !unschedulable.asBoolean());
    }

    /** Lets a pod with a node and without a status run there and be Ready. */
    static void completePod(ObjectNode pod) {
        ObjectNode spec = pod.withObjectProperty("spec");
        if (!spec.has("schedulerName")) {
            spec.put("schedulerName", "default-scheduler");
        }
        if (!spec.has("restartPolicy")) {
            spec.put("restartPolicy", "Always");
        }
        if (!pod.has(STATUS)) {
            ObjectNode status = pod.putObject(STATUS);
            if (spec.has("nodeName")) {
                status.put("phase", "Running").putArray("conditions").add(tree(READY));
            } else {
                status.put("phase", "Pending");
            }
        }
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a constant is no JSON", e);
        }
    }
}
