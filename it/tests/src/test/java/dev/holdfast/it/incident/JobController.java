package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Simulates the Job controller: it creates pods until enough have succeeded. A pod that is deleted earlier is replaced
 * and starts from the beginning.
 */
final class JobController implements SimulatedController {
    private final ObjectStore store;
    private final Map<String, Integer> made = new HashMap<>();

    JobController(ObjectStore store) {
        this.store = store;
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
            int number = made.merge(PodObjects.uid(job), 1, Integer::sum);
            store.put(PodObjects.pod(
                    PodObjects.name(job) + "-" + number, job, job.path("spec").path("template")));
        }
    }
}
