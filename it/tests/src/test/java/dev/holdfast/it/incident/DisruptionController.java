package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Simulates the disruption controller: it updates the status of PodDisruptionBudgets. */
final class DisruptionController implements SimulatedController {
    private static final int PERCENT = 100;

    private final ObjectStore store;

    DisruptionController(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void reconcile() {
        for (ObjectNode budget : store.all("PodDisruptionBudget")) {
            ObjectNode status = status(budget);
            if (!budget.path("status").equals(status)) {
                store.edit(budget, it -> it.set("status", status));
            }
        }
    }

    private ObjectNode status(ObjectNode budget) {
        List<ObjectNode> pods = selected(budget);
        int expected =
                Math.toIntExact(pods.stream().filter(PodObjects::isActive).count());
        int healthy = Math.toIntExact(pods.stream()
                .filter(pod -> PodObjects.isActive(pod) && PodObjects.isReady(pod))
                .count());
        JsonNode spec = budget.path("spec");
        int desired = spec.has("minAvailable")
                ? share(spec.path("minAvailable"), expected)
                : expected - share(spec.path("maxUnavailable"), expected);
        return budget.objectNode()
                .put("disruptionsAllowed", Math.max(0, healthy - desired))
                .put("currentHealthy", healthy)
                .put("desiredHealthy", desired)
                .put("expectedPods", expected);
    }

    /** {@return a number of pods, given as a number or a percentage} Percentages are rounded up, as in Kubernetes. */
    private static int share(JsonNode value, int of) {
        return value.isInt()
                ? value.asInt()
                : (Integer.parseInt(value.asText().replace("%", "")) * of + PERCENT - 1) / PERCENT;
    }

    private List<ObjectNode> selected(ObjectNode budget) {
        return store.all("Pod").stream().filter(pod -> selects(budget, pod)).toList();
    }

    static boolean selects(JsonNode budget, JsonNode pod) {
        return PodObjects.namespace(budget).equals(PodObjects.namespace(pod))
                && PodObjects.matches(budget.path("spec").path("selector").path("matchLabels"), pod);
    }
}
