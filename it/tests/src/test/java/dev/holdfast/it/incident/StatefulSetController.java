package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;

/**
 * Simulates the StatefulSet controller: it replaces a missing pod by one of the same name. The text {@code $ordinal} in
 * the template stands for the pod's ordinal.
 */
final class StatefulSetController implements SimulatedController {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectStore store;

    StatefulSetController(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void reconcile() {
        store.all("StatefulSet").forEach(this::reconcile);
    }

    private void reconcile(ObjectNode set) {
        for (int ordinal = 0; ordinal < set.path("spec").path("replicas").asInt(); ordinal++) {
            String name = PodObjects.name(set) + "-" + ordinal;
            if (store.find(new ObjectStore.Key("Pod", PodObjects.namespace(set), name))
                    .isEmpty()) {
                store.put(PodObjects.pod(name, set, template(set, ordinal)));
            }
        }
    }

    private static JsonNode template(ObjectNode set, int ordinal) {
        try {
            return JSON.readTree(
                    set.path("spec").path("template").toString().replace("$ordinal", Integer.toString(ordinal)));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
