package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Simulates the StatefulSet controller: it replaces a missing pod by one of the same name, in order unless its pod
 * management policy is Parallel, and keeps the revisions in the status. It rolls nothing out by itself.
 */
final class StatefulSetController implements SimulatedController {
    private final ObjectStore store;
    private final Predicate<ObjectNode> creation;

    /** The pod template of each revision. */
    private final Map<String, JsonNode> templates = new HashMap<>();

    /** @param creation whether the StatefulSet creates a pod now, and the API server admits it */
    StatefulSetController(ObjectStore store, Predicate<ObjectNode> creation) {
        this.store = store;
        this.creation = creation;
    }

    @Override
    public void reconcile() {
        store.all("StatefulSet").forEach(this::reconcile);
    }

    private void reconcile(ObjectNode set) {
        StatefulSetRevisions revisions = revisions(set);
        for (int ordinal = 0; ordinal < set.path("spec").path("replicas").asInt(); ordinal++) {
            String name = PodObjects.name(set) + "-" + ordinal;
            if (store.find(new ObjectStore.Key("Pod", PodObjects.namespace(set), name))
                    .isEmpty()) {
                boolean keepsCurrent =
                        !revisions.onDelete() && ordinal < revisions.firstOrdinal() + revisions.partition();
                String revision = keepsCurrent ? revisions.current() : revisions.update();
                ObjectNode pod = PodObjects.pod(name, set, Objects.requireNonNull(templates.get(revision)));
                claim(pod, set.path("spec").path("volumeClaimTemplates"));
                PodObjects.label(pod, Map.of(StatefulSetRevisions.LABEL, Optional.of(revision)));
                if (creation.test(pod)) {
                    store.put(pod);
                }
            }
        }
    }

    /** Writes the present revisions into the status of a StatefulSet, and returns them. */
    private StatefulSetRevisions revisions(ObjectNode set) {
        JsonNode template = set.path("spec").path("template");
        JsonNode strategy = set.path("spec").path("updateStrategy");
        String update = PodObjects.name(set) + "-"
                + Integer.toHexString(template.toString().hashCode());
        templates.putIfAbsent(update, template.deepCopy());
        String current = set.path("status").path("currentRevision").asText(update);
        if (!set.path("status").path("updateRevision").asText().equals(update)) {
            store.edit(
                    set,
                    it -> it.withObjectProperty("status")
                            .put("currentRevision", current)
                            .put("updateRevision", update));
        }
        return new StatefulSetRevisions(
                true,
                strategy.path("type").asText().equals("OnDelete"),
                strategy.path("rollingUpdate").path("partition").asInt(),
                0,
                current,
                update);
    }

    private static void claim(ObjectNode pod, JsonNode claimTemplates) {
        for (JsonNode template : claimTemplates) {
            String volume = template.path("metadata").path("name").asText();
            ObjectNode added =
                    pod.withObjectProperty("spec").withArrayProperty("volumes").addObject();
            added.put("name", volume)
                    .putObject("persistentVolumeClaim")
                    .put("claimName", volume + "-" + PodObjects.name(pod));
        }
    }
}
