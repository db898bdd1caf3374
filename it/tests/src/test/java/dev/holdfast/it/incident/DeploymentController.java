package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Simulates rolling updates of Deployments with the defaults of Kubernetes: maxSurge 25 % and maxUnavailable 25 %. */
final class DeploymentController implements SimulatedController {
    private static final int QUARTER = 4;

    private final ObjectStore store;

    DeploymentController(ObjectStore store) {
        this.store = store;
    }

    @Override
    public void reconcile() {
        store.all("Deployment").forEach(this::reconcile);
    }

    private void reconcile(ObjectNode deployment) {
        String hash = Integer.toHexString(
                deployment.path("spec").path("template").toString().hashCode());
        List<ObjectNode> sets = store.all("ReplicaSet").stream()
                .filter(set -> PodObjects.isControlledBy(set, deployment))
                .toList();
        int desired = deployment.path("spec").path("replicas").asInt();
        String name = PodObjects.name(deployment) + "-" + hash;
        ObjectNode newest = sets.stream()
                .filter(set -> PodObjects.name(set).equals(name))
                .findFirst()
                .orElseGet(() -> replicaSet(deployment, name, hash));
        List<ObjectNode> others =
                sets.stream().filter(set -> !PodObjects.name(set).equals(name)).toList();
        grow(newest, others, desired);
        shrink(newest, others, desired);
    }

    private ObjectNode replicaSet(ObjectNode deployment, String name, String hash) {
        JsonNode spec = deployment.path("spec");
        ObjectNode set = PodObjects.made("ReplicaSet", name, deployment, deployment.objectNode());
        set.withObjectProperty("spec")
                .put("replicas", 0)
                .set("template", spec.path("template").deepCopy());
        set.withObject("/spec/template/metadata/labels").put("pod-template-hash", hash);
        store.put(set);
        return set;
    }

    private void grow(ObjectNode newest, List<ObjectNode> others, int desired) {
        int atMost = others.isEmpty() ? desired : desired + (desired + QUARTER - 1) / QUARTER;
        int total = replicas(newest)
                + others.stream().mapToInt(DeploymentController::replicas).sum();
        scale(newest, Math.min(desired, replicas(newest) + Math.max(0, atMost - total)));
    }

    private void shrink(ObjectNode newest, List<ObjectNode> others, int desired) {
        int atLeast = desired - desired / QUARTER;
        int available = ready(newest) + others.stream().mapToInt(this::ready).sum();
        int spare = available - atLeast;
        for (ObjectNode set : others) {
            // Removing pods that are not ready reduces no availability.
            int fewer = Math.min(replicas(set), Math.max(0, spare) + Math.max(0, replicas(set) - ready(set)));
            int readyLost = Math.max(0, fewer - Math.max(0, replicas(set) - ready(set)));
            scale(set, replicas(set) - fewer);
            spare -= readyLost;
        }
    }

    private static int replicas(ObjectNode set) {
        return set.path("spec").path("replicas").asInt();
    }

    private int ready(ObjectNode set) {
        return Math.toIntExact(store.all("Pod").stream()
                .filter(pod -> PodObjects.isControlledBy(pod, set))
                .filter(pod -> PodObjects.isActive(pod) && PodObjects.isReady(pod))
                .count());
    }

    private void scale(ObjectNode set, int replicas) {
        if (replicas != replicas(set)) {
            store.edit(set, it -> it.withObjectProperty("spec").put("replicas", replicas));
        }
    }
}
