package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Simulates the Eviction API of an API server. */
final class EvictionApi {
    private final ObjectStore store;
    private final InstantSource clock;
    private final boolean keepsBudgets;

    /**
     * @param keepsBudgets whether the API server checks PodDisruptionBudgets; if not, each eviction is granted
     */
    EvictionApi(ObjectStore store, InstantSource clock, boolean keepsBudgets) {
        this.store = store;
        this.clock = clock;
        this.keepsBudgets = keepsBudgets;
    }

    EvictionAnswer dryRun(EvictionRequest request) {
        NamespacedName name = request.pod();
        Optional<ObjectNode> pod = store.find(new ObjectStore.Key("Pod", name.namespace(), name.name()))
                .filter(it -> PodObjects.uid(it).equals(request.uid()));
        if (pod.isEmpty()) {
            return new EvictionAnswer.Gone();
        }
        List<ObjectNode> budgets = store.all("PodDisruptionBudget").stream()
                .filter(budget -> keepsBudgets && DisruptionController.selects(budget, pod.get()))
                .toList();
        if (budgets.size() > 1) {
            return new EvictionAnswer.SeveralBudgets("This pod has more than one PodDisruptionBudget");
        }
        boolean spent = budgets.stream()
                .anyMatch(it -> it.path("status").path("disruptionsAllowed").asInt() == 0);
        if (spent) {
            return new EvictionAnswer.OutOfBudget(
                    "The disruption budget " + PodObjects.name(budgets.getFirst()) + " has nothing left",
                    Optional.empty());
        }
        String version = pod.get().path("metadata").path("resourceVersion").asText();
        OptionalLong expected = request.resourceVersion();
        return expected.isEmpty() || Long.toString(expected.getAsLong()).equals(version)
                ? new EvictionAnswer.Evicted()
                : new EvictionAnswer.Conflict("the pod changed");
    }

    EvictionAnswer evict(EvictionRequest request) {
        EvictionAnswer answer = dryRun(request);
        if (answer instanceof EvictionAnswer.Evicted) {
            NamespacedName name = request.pod();
            ObjectNode pod = store.find(new ObjectStore.Key("Pod", name.namespace(), name.name()))
                    .orElseThrow();
            store.edit(pod, it -> {
                PodObjects.condition(it, "DisruptionTarget", "True", clock.instant());
                PodObjects.terminate(it, clock.instant());
            });
        }
        return answer;
    }
}
