package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Simulates the ReplicaSet controller: it keeps the number of pods, and on scaling down chooses pods in the order of
 * Kubernetes.
 */
final class ReplicaSetController implements SimulatedController {
    /** Without the name of a cause, for example of a quota. */
    private static final String REFUSED = "pods are forbidden: refused by the API server";

    private final ObjectStore store;
    private final InstantSource clock;
    private final Predicate<ObjectNode> creation;
    private final Function<ObjectNode, Optional<String>> admission;
    private final Map<String, Integer> made = new HashMap<>();

    /** Whether the API server refuses new pods, as with an exhausted quota or a webhook that is down. */
    private boolean refused;

    /**
     * @param creation whether the ReplicaSet creates a pod now
     * @param admission why the API server refuses a new pod; empty if it does not
     */
    ReplicaSetController(
            ObjectStore store,
            InstantSource clock,
            Predicate<ObjectNode> creation,
            Function<ObjectNode, Optional<String>> admission) {
        this.store = store;
        this.clock = clock;
        this.creation = creation;
        this.admission = admission;
    }

    /** Sets whether the API server refuses new pods. */
    void refuse(boolean newPods) {
        refused = newPods;
    }

    @Override
    public void reconcile() {
        store.all("ReplicaSet").forEach(this::reconcile);
    }

    /** Sets or removes the condition ReplicaFailure. */
    private void failure(ObjectNode set, Optional<String> message) {
        boolean known = set.path("status").path("conditions").has(0);
        if (message.isPresent() && !known) {
            store.edit(
                    set,
                    it -> it.withObjectProperty("status")
                            .withArrayProperty("conditions")
                            .addObject()
                            .put("type", "ReplicaFailure")
                            .put("status", "True")
                            .put("reason", "FailedCreate")
                            .put("message", message.get()));
        } else if (message.isEmpty() && known) {
            store.edit(set, it -> it.withObjectProperty("status").remove("conditions"));
        }
    }

    private void reconcile(ObjectNode set) {
        List<ObjectNode> active = store.all("Pod").stream()
                .filter(pod -> PodObjects.isControlledBy(pod, set) && PodObjects.isActive(pod))
                .toList();
        int wanted = set.path("spec").path("replicas").asInt();
        Optional<String> refusal = Optional.empty();
        for (int missing = wanted - active.size(); missing > 0 && refusal.isEmpty(); missing--) {
            int number = made.getOrDefault(PodObjects.uid(set), 0) + 1;
            ObjectNode pod = PodObjects.pod(
                    String.format(Locale.ROOT, "%s-%04d", PodObjects.name(set), number),
                    set,
                    set.path("spec").path("template"));
            if (!creation.test(pod)) {
                return;
            }
            refusal = refused ? Optional.of(REFUSED) : admission.apply(pod);
            if (refusal.isEmpty()) {
                made.put(PodObjects.uid(set), number);
                store.put(pod);
            }
        }
        failure(set, refusal);
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
