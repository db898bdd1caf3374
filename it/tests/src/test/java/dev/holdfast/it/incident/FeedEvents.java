package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.decode.JsonFacts;
import dev.holdfast.operator.decode.JsonStorage;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;

/**
 * Translator of changed objects into the events that the operator's watches deliver. Kinds that the operator does not
 * watch give no event.
 */
final class FeedEvents {
    private final JsonFacts facts = new JsonFacts();

    Optional<ClusterEvent> changed(ObjectNode object) {
        return switch (object.path("kind").asText()) {
            case "Pod" -> Optional.of(new ClusterEvent.PodChanged(facts.pod(object)));
            case "Node" -> Optional.of(new ClusterEvent.NodeChanged(facts.node(object)));
            case "Namespace" -> Optional.of(new ClusterEvent.NamespaceChanged(facts.namespace(object)));
            case "Deployment" ->
                Optional.of(
                        new ClusterEvent.OwnerChanged(facts.deployment(object).object()));
            case "ReplicaSet" ->
                Optional.of(
                        new ClusterEvent.OwnerChanged(facts.replicaSet(object).object()));
            case "StatefulSet" ->
                Optional.of(
                        new ClusterEvent.OwnerChanged(facts.statefulSet(object).object()));
            case "Job" ->
                Optional.of(new ClusterEvent.OwnerChanged(facts.job(object).object()));
            case "PodDisruptionBudget" ->
                Optional.of(new ClusterEvent.BudgetChanged(facts.budget(object).object()));
            case "CSINode" ->
                Optional.of(new ClusterEvent.CsiNodeChanged(
                        JsonStorage.csiNode(object).object()));
            case "ResourceQuota" ->
                Optional.of(
                        new ClusterEvent.QuotaChanged(JsonStorage.quota(object).object()));
            case "LimitRange" ->
                Optional.of(new ClusterEvent.LimitRangeChanged(
                        JsonStorage.limitRange(object).object()));
            default -> Optional.empty();
        };
    }

    /** {@return a pod that the API server has not stored yet} */
    Pod unstored(ObjectNode pod) {
        ObjectNode stored = pod.deepCopy();
        stored.withObjectProperty("metadata")
                .put("uid", "new")
                .put("resourceVersion", "1")
                .put("creationTimestamp", "2026-11-20T12:00:00Z");
        return facts.pod(stored);
    }

    Optional<ClusterEvent> gone(ObjectNode object) {
        String uid = object.path("metadata").path("uid").asText();
        String name = object.path("metadata").path("name").asText();
        return switch (object.path("kind").asText()) {
            case "Pod" -> Optional.of(new ClusterEvent.PodGone(uid));
            case "Node" -> Optional.of(new ClusterEvent.NodeGone(name));
            case "Namespace" -> Optional.of(new ClusterEvent.NamespaceGone(name));
            case "Deployment", "ReplicaSet", "StatefulSet", "Job" -> Optional.of(new ClusterEvent.OwnerGone(uid));
            case "PodDisruptionBudget" -> Optional.of(new ClusterEvent.BudgetGone(uid));
            case "CSINode" -> Optional.of(new ClusterEvent.CsiNodeGone(name));
            case "ResourceQuota" -> Optional.of(new ClusterEvent.QuotaGone(uid));
            case "LimitRange" -> Optional.of(new ClusterEvent.LimitRangeGone(uid));
            default -> Optional.empty();
        };
    }
}
