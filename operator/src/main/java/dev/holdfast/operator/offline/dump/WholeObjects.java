package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.operator.config.ComponentLabel;
import dev.holdfast.operator.offline.dump.text.TreeReading;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The objects of dumps that are kept as written: policies, and the operator's own events and ConfigMaps. */
final class WholeObjects {
    static final String DEFAULT_NAMESPACE = "default";

    /** The kind of an answer that is an error. */
    static final String STATUS = "v1/Status";

    /** The component that the operator's events name as their source. */
    private static final String OPERATOR = "holdfast";

    private final Map<String, ObjectNode> policies = new LinkedHashMap<>();
    private final List<ObjectNode> events = new ArrayList<>();
    private final Map<String, ObjectNode> configMaps = new LinkedHashMap<>();

    /**
     * Adds a policy; the last one of a kind and name counts, as for kubectl apply.
     *
     * @return what removes it again
     */
    Runnable addPolicy(ObjectNode policy, String file, Repetitions repetitions) {
        String described = described(policy);
        ObjectNode other = policies.put(described, policy);
        if (other != null && !other.equals(policy)) {
            repetitions.add(described, file);
        }
        return () -> policies.remove(described);
    }

    /** Adds a ConfigMap of the operator, and returns what removes it again. */
    Runnable addConfigMap(ObjectNode configMap) {
        String described = described(configMap);
        configMaps.put(described, configMap);
        return () -> configMaps.remove(described);
    }

    /** {@return whether an object has the label of the operator's ConfigMaps} */
    static boolean hasComponent(@Nullable TokenBuffer metadata) throws IOException {
        return metadata != null && TreeReading.tree(metadata).path("labels").has(ComponentLabel.KEY);
    }

    /** {@return what a Status says, with which an API server answers instead of objects} */
    static String failure(ObjectNode status) {
        return "the API server answered with a Status, and not with objects: "
                + status.path("message").asText(status.path("reason").asText("no message"))
                + (status.path("code").isInt() ? " (" + status.path("code").asInt() + ")" : "") + ": run kubectl again";
    }

    /** Adds an event, if it is the operator's. */
    void addEvent(ObjectNode event) {
        if (event.at("/source/component").asText().equals(OPERATOR)) {
            events.add(event);
        }
    }

    List<ObjectNode> policies() {
        return List.copyOf(policies.values());
    }

    List<ObjectNode> events() {
        return events;
    }

    List<ObjectNode> configMaps() {
        return List.copyOf(configMaps.values());
    }

    /** {@return kind and name of an object; the namespace of a PlacementPolicy without one is default} */
    private static String described(ObjectNode object) {
        String kind = object.path("kind").asText();
        return kind + " "
                + shown(
                        object.at("/metadata/namespace")
                                .asText(kind.equals("PlacementPolicy") ? DEFAULT_NAMESPACE : ""),
                        object.at("/metadata/name").asText());
    }

    static String shown(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
