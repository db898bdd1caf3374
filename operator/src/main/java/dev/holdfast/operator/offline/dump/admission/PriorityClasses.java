package dev.holdfast.operator.offline.dump.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The priorities that new pods get: those of PriorityClasses, as the admission plugin Priority gives them. */
final class PriorityClasses {
    /** The priorities by class, with those of the classes that each cluster has. */
    private final Map<String, Integer> values =
            new HashMap<>(Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000));

    /** The classes for pods that name none. */
    private final Set<String> ofOthers = new HashSet<>();

    void add(ObjectNode priorityClass) {
        String name = priorityClass.at("/metadata/name").asText();
        values.put(name, priorityClass.path("value").asInt());
        if (priorityClass.path("globalDefault").asBoolean()) {
            ofOthers.add(name);
        } else {
            ofOthers.remove(name);
        }
    }

    void remove(String name) {
        values.remove(name);
        ofOthers.remove(name);
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /**
     * {@return the priority of a new pod: 0 if its class is unknown, and without a class for pods that name none} The
     * lowest of several such classes counts.
     */
    int of(String name) {
        return name.isEmpty() ? ofOthers.stream().mapToInt(this::of).min().orElse(0) : values.getOrDefault(name, 0);
    }
}
