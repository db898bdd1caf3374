package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Simulates the ReplicaSet controller: it keeps the number of pods, and on scaling down chooses pods in the order of
 * Kubernetes.
 */
final class ReplicaSetController implements SimulatedController {
    private final ObjectStore store;
    private final InstantSource clock;
    private final Map<String, Integer> made = new HashMap<>();

    /** Whether the API server refuses new pods, as with an exhausted quota or a webhook that is down. */
    private boolean refused;

    ReplicaSetController(ObjectStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Sets whether the API server refuses new pods. */
    void refuse(boolean newPods) {
        refused = newPods;
    }

    @Override
    public void reconcile() {
        store.all("ReplicaSet").forEach(this::reconcile);
    }

    private void reconcile(ObjectNode set) {
        List<ObjectNode> active = store.all("Pod").stream()
                .filter(pod -> PodObjects.isControlledBy(pod, set) && PodObjects.isActive(pod))
                .toList();
        int wanted = set.path("spec").path("replicas").asInt();
        for (int missing = refused ? 0 : wanted - active.size(); missing > 0; missing--) {
            int number = made.merge(PodObjects.uid(set), 1, Integer::sum);
            store.put(PodObjects.pod(
                    String.format(Locale.ROOT, "%s-%04d", PodObjects.name(set), number),
                    set,
                    set.path("spec").path("template")));
        }
        Map<String, Integer> onNode = new HashMap<>();
        active.forEach(pod -> PodObjects.node(pod).ifPresent(node -> onNode.merge(node, 1, Integer::sum)));
        active.stream()
                .sorted(Comparator.comparing(
                                (ObjectNode pod) -> PodObjects.node(pod).isPresent())
                        .thenComparing(PodObjects::isReady)
                        .thenComparingInt(
                                pod -> -onNode.getOrDefault(PodObjects.node(pod).orElse(""), 0))
                        .thenComparingInt(PodObjects::scattered))
                .limit(Math.max(0, active.size() - wanted))
                .forEach(pod -> store.edit(pod, it -> PodObjects.terminate(it, clock.instant())));
    }
}
