package dev.holdfast.operator.offline.dump.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The priorities that new pods get: those of PriorityClasses, as the admission plugin Priority gives them. */
final class PriorityClasses {
    /** The priorities by class, with those of the classes that each cluster has. */
    private final Map<String, Integer> values =
            new HashMap<>(Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000));

    /** The lowest priority of a class for pods that name none; empty without such a class. */
    private Optional<Integer> ofOthers = Optional.empty();

    void add(ObjectNode priorityClass) {
        int value = priorityClass.path("value").asInt();
        values.put(priorityClass.at("/metadata/name").asText(), value);
        if (priorityClass.path("globalDefault").asBoolean()) {
            ofOthers = Optional.of(Math.min(value, ofOthers.orElse(value)));
        }
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** {@return the priority of a new pod: 0 if its class is unknown, and without a class for pods that name none} */
    int of(String name) {
        return name.isEmpty() ? ofOthers.orElse(0) : values.getOrDefault(name, 0);
    }
}
