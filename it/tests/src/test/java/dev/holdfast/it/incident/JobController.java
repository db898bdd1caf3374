package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Simulates the Job controller: it creates pods until enough have succeeded, unless it is suspended. A pod that is
 * deleted earlier is replaced and starts from the beginning.
 */
final class JobController implements SimulatedController {
    private final ObjectStore store;
    private final Predicate<ObjectNode> creation;
    private final Map<String, Integer> made = new HashMap<>();

    /** @param creation whether the Job creates a pod now, and the API server admits it */
    JobController(ObjectStore store, Predicate<ObjectNode> creation) {
        this.store = store;
        this.creation = creation;
    }

    @Override
    public void reconcile() {
        store.all("Job").forEach(this::reconcile);
    }

    private void reconcile(ObjectNode job) {
        List<ObjectNode> pods = store.all("Pod").stream()
                .filter(pod -> PodObjects.isControlledBy(pod, job))
                .toList();
        long done = pods.stream()
                .filter(pod -> PodObjects.phase(pod).equals("Succeeded"))
                .count();
        long active = pods.stream().filter(PodObjects::isActive).count();
        int completions = job.path("spec").path("completions").asInt(1);
        int parallelism = job.path("spec").path("parallelism").asInt(1);
        for (long missing = Math.min(completions - done, parallelism) - active; missing > 0; missing--) {
            int number = made.getOrDefault(PodObjects.uid(job), 0) + 1;
            ObjectNode pod = PodObjects.pod(
                    PodObjects.name(job) + "-" + number, job, job.path("spec").path("template"));
            if (!creation.test(pod)) {
                return;
            }
            made.put(PodObjects.uid(job), number);
            store.put(pod);
        }
    }
}
