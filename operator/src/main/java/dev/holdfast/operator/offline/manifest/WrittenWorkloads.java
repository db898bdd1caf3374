package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.text.WithoutSecrets;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The workloads of the files so far, and what a later file changes about them. */
final class WrittenWorkloads {
    private static final String STATUS = "status";
    private static final String TEMPLATE = "/spec/template";
    private static final String DEPLOYMENT = "Deployment";

    /** The default {@code maxSurge} and {@code maxUnavailable} of a Deployment. */
    private static final String USUAL_SHARE = "25%";

    private final Map<String, Known> known = new HashMap<>();
    private final List<ObjectNode> classes;
    private final List<String> paused = new ArrayList<>();

    /**
     * The ReplicaSets of Deployments, by the key of the Deployment. After a roll-out, the last one is that of the
     * template.
     */
    private final Map<String, List<ObjectNode>> replicaSets = new HashMap<>();

    /**
     * A workload as it is after the files so far.
     *
     * @param revision the number of its pod template, from 1
     * @param created whether its pods are created by its template, and not written themselves
     */
    private record Known(ObjectNode object, int revision, boolean created) {}

    /** @param classes the PriorityClasses and RuntimeClasses of the files so far, to which later files may add */
    WrittenWorkloads(List<ObjectNode> classes) {
        this.classes = classes;
    }

    /**
     * Learns of a new workload.
     *
     * @param created whether its pods are created by its template, and not written themselves
     */
    void add(String key, ObjectNode workload, boolean created) {
        if (created && isStatefulSet(workload)) {
            String revision = CreatedObjects.revision(workload, 1);
            revise(workload, revision, revision);
        }
        known.put(key, new Known(workload.deepCopy(), 1, created));
        if (created && isDeployment(workload)) {
            replicaSetsOf(key).add(CreatedObjects.replicaSet(workload, 1));
        }
        for (JsonNode owner : workload.at("/metadata/ownerReferences")) {
            if (owner.path("kind").asText().equals(DEPLOYMENT)) {
                replicaSetsOf(DEPLOYMENT + "/" + CreatedObjects.namespace(workload) + "/"
                                + owner.path("name").asText())
                        .add(workload.deepCopy());
            }
        }
    }

    private List<ObjectNode> replicaSetsOf(String deployment) {
        return replicaSets.computeIfAbsent(deployment, _ -> new ArrayList<>());
    }

    private static boolean isParallel(ObjectNode statefulSet) {
        return statefulSet.at("/spec/podManagementPolicy").asText().equals("Parallel");
    }

    private static boolean isDeployment(ObjectNode workload) {
        return workload.path("kind").asText().equals(DEPLOYMENT);
    }

    boolean has(String key) {
        return known.containsKey(key);
    }

    private static boolean isStatefulSet(ObjectNode workload) {
        return workload.path("kind").asText().equals("StatefulSet");
    }

    private static void revise(ObjectNode statefulSet, String current, String update) {
        statefulSet.withObjectProperty("metadata").put("generation", 1);
        statefulSet
                .putObject(STATUS)
                .put("observedGeneration", 1)
                .put("currentRevision", current)
                .put("updateRevision", update);
    }

    /**
     * {@return the pods to create for a workload that has none and is scaled; empty if its pods were written
     * themselves}
     *
     * @throws DumpException if the pod template cannot be read
     */
    List<Pod> scaled(String key, int replicas) throws DumpException {
        Known before = known.get(key);
        if (before == null) {
            return List.of();
        }
        before.object().withObjectProperty("spec").put("replicas", replicas);
        return before.created()
                ? Created.of(before.object(), made(key, before.object(), before.revision()))
                        .pods()
                : List.of();
    }

    /**
     * {@return what a workload creates, for a Deployment with the ReplicaSet of its template, and the classes that
     * its pods may name}
     */
    private List<ObjectNode> made(String key, ObjectNode workload, int revision) {
        List<ObjectNode> sets = replicaSets.getOrDefault(key, List.of());
        List<ObjectNode> made = sets.isEmpty()
                ? CreatedObjects.of(workload, revision)
                : CreatedObjects.ofDeployment(workload, sets.getLast(), revision);
        return Stream.concat(made.stream(), classes.stream()).toList();
    }

    /** The objects that a workload creates, as the operator reads them. */
    private record Created(List<Owner> owners, List<Pod> pods) {
        static Created of(ObjectNode workload, List<ObjectNode> made) throws DumpException {
            List<ObjectNode> objects = new ArrayList<>(List.of(workload));
            for (ObjectNode object : made) {
                if (object.path("kind").asText().equals("Pod")) {
                    WrittenStatus.completePod(object);
                }
                objects.add(object);
            }
            List<Owner> owners = new ArrayList<>();
            List<Pod> pods = new ArrayList<>();
            for (ClusterEvent event : DecodedObjects.of(objects).objects()) {
                switch (event) {
                    case ClusterEvent.OwnerChanged(Owner owner) -> owners.add(owner);
                    case ClusterEvent.PodChanged(Pod pod) -> pods.add(pod);
                    case ClusterEvent.PodGone _,
                            ClusterEvent.OwnerGone _,
                            ClusterEvent.OfNode _,
                            ClusterEvent.OfNamespace _,
                            ClusterEvent.OfBudget _,
                            ClusterEvent.OfCapacity _ ->
                        throw new IllegalStateException("workloads create no " + event);
                }
            }
            return new Created(owners, pods);
        }

        Owner owner(String kind) {
            return owners.stream()
                    .filter(owner -> owner.kind().equals(kind))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * {@return what follows if a workload is written again, with another template or number of replicas}
     *
     * @throws DumpException if a field is wrong
     */
    List<Change> apply(String key, ObjectNode written) throws DumpException {
        Known before = Objects.requireNonNull(known.get(key), key);
        String kind = written.path("kind").asText();
        if (kind.equals("Job")) {
            // Its pods and their number stay as they are.
            return List.of();
        }
        ObjectNode compared = inDump(written, before.object());
        WrittenSpecs.requireUpdate(before.object(), compared);
        WrittenSpecs.completeUpdate(before.object(), written);
        complete(written, before.object());
        boolean other = !isSameTemplate(before.object().at(TEMPLATE), compared, before.revision());
        boolean rolledOut = isRolledOut(written) && other;
        boolean ofDeployment = isDeployment(written);
        List<Change> changes = new ArrayList<>();
        // The roll-out of a Deployment creates as many pods of the new template as are wanted.
        boolean scaled = CreatedObjects.replicas(written) != CreatedObjects.replicas(before.object())
                && !(rolledOut && ofDeployment);
        if (scaled) {
            changes.add(scale(key, written));
        }
        boolean waits = other && ofDeployment && isPaused(written);
        if (waits) {
            paused.add(key.replaceFirst("/", " ")
                    + ": its pod template changes, but nothing rolls out, because the Deployment is paused");
        }
        int revision = before.revision() + (rolledOut ? 1 : 0);
        if (!rolledOut) {
            written.withObjectProperty("spec").set("template", before.object().at(TEMPLATE));
        } else if (isStatefulSet(written)) {
            String present = before.object().at("/status/updateRevision").asText();
            revise(written, present, CreatedObjects.revision(written, revision));
        }
        if (rolledOut && ofDeployment) {
            chooseReplicaSet(key, written, revision);
        }
        Created created = Created.of(written, made(key, written, revision));
        Owner owner = created.owner(kind);
        switch (kind) {
            case "StatefulSet" ->
                changes.add(new Change.RollOutStatefulSet(
                        owner, before.created() || rolledOut ? created.pods() : List.of(), isParallel(written)));
            case String _ when rolledOut -> changes.add(rollOut(key, written, owner, revision));
            // After the scaling, this would change nothing, which looks like a mistake.
            case String _
            when scaled || !waits ->
                changes.addFirst(new Change.AddObjects(List.of(new ClusterEvent.OwnerChanged(owner))));
            default -> {}
        }
        if (ofDeployment && isPaused(written) != isPaused(before.object())) {
            changes.add(new Change.PauseRollOut(owner.uid(), isPaused(written)));
        }
        known.put(key, new Known(written.deepCopy(), revision, before.created() || rolledOut));
        return changes;
    }

    /** {@return the Deployments whose new templates are not rolled out, because they are paused, as sentences} */
    List<String> paused() {
        return paused;
    }

    /** {@return whether another template has an effect on the pods that there are} */
    private static boolean isRolledOut(ObjectNode workload) {
        return isStatefulSet(workload) || (isDeployment(workload) && !isPaused(workload));
    }

    static boolean isPaused(ObjectNode deployment) {
        return deployment.at("/spec/paused").asBoolean(false);
    }

    /** Adds what a manifest leaves out, as the API server does: UID, status and the number of replicas. */
    private static void complete(ObjectNode written, ObjectNode before) {
        ObjectNode metadata = written.withObjectProperty("metadata");
        metadata.set("uid", before.at("/metadata/uid"));
        ObjectNode spec = written.withObjectProperty("spec");
        if (!spec.has("replicas")) {
            spec.put("replicas", CreatedObjects.replicas(before));
        }
        if (before.has(STATUS)) {
            written.set(STATUS, before.path(STATUS).deepCopy());
            metadata.set("generation", before.at("/metadata/generation"));
        }
    }

    private Change scale(String key, ObjectNode written) throws DumpException {
        int replicas = CreatedObjects.replicas(written);
        return new Change.Scale(
                written.path("kind").asText(),
                new NamespacedName(CreatedObjects.namespace(written), CreatedObjects.name(written)),
                replicas,
                scaled(key, replicas));
    }

    /** {@return a workload without the parts that {@code holdfast dump} leaves out, if it wrote the stored one} */
    private static ObjectNode inDump(ObjectNode written, ObjectNode stored) {
        if (!WithoutSecrets.isCopy(stored)) {
            return written;
        }
        ObjectNode copy = written.deepCopy();
        copy.set("spec", WithoutSecrets.of(written.withObjectProperty("spec")));
        return copy;
    }

    /**
     * {@return whether a written template equals the stored one: all of it is there, and both mean the same to the
     * operator} A manifest has fewer fields than the API server stores.
     */
    private static boolean isSameTemplate(JsonNode stored, ObjectNode written, int revision) throws DumpException {
        ObjectNode before = written.deepCopy();
        before.withObjectProperty("spec").set("template", stored.deepCopy());
        return WrittenSpecs.isPartOf(written.at(TEMPLATE), stored)
                && firstPod(written, revision).equals(firstPod(before, revision));
    }

    /** Chooses the ReplicaSet of a Deployment: its earlier one for an earlier template, else a new one. */
    private void chooseReplicaSet(String key, ObjectNode deployment, int revision) throws DumpException {
        List<ObjectNode> sets = replicaSetsOf(key);
        ObjectNode chosen = CreatedObjects.replicaSet(deployment, revision);
        for (ObjectNode set : sets) {
            if (isSameTemplate(set.at(TEMPLATE), deployment, revision)) {
                chosen = set;
            }
        }
        sets.remove(chosen);
        sets.add(chosen);
    }

    private static Optional<List<Object>> firstPod(ObjectNode workload, int revision) throws DumpException {
        ObjectNode one = workload.deepCopy();
        one.withObjectProperty("spec").put("replicas", 1);
        return Created.of(one, CreatedObjects.of(one, revision)).pods().stream()
                .findFirst()
                .map(pod -> List.of(pod.labels(), pod.scheduling(), pod.podRequirements(), pod.victimProtection()));
    }

    private Change rollOut(String key, ObjectNode deployment, Owner owner, int revision) throws DumpException {
        int replicas = CreatedObjects.replicas(deployment);
        boolean recreate = deployment.at("/spec/strategy/type").asText().equals("Recreate");
        int surge = recreate ? 0 : share(deployment, "maxSurge", RoundingMode.CEILING);
        int unavailable = recreate ? replicas : share(deployment, "maxUnavailable", RoundingMode.FLOOR);
        ObjectNode one = deployment.deepCopy();
        one.withObjectProperty("spec").put("replicas", 1);
        Created created = Created.of(one, made(key, one, revision));
        return new Change.RollOutDeployment(
                owner,
                replicas,
                created.owner("ReplicaSet"),
                created.pods().getFirst(),
                surge,
                // The Deployment controller does the same: otherwise nothing could happen.
                surge == 0 && unavailable == 0 ? 1 : unavailable,
                recreate);
    }

    private static int share(ObjectNode deployment, String field, RoundingMode rounding) {
        JsonNode value = deployment.at("/spec/strategy/rollingUpdate").path(field);
        return WrittenSpecs.pods(
                value.isMissingNode() ? deployment.textNode(USUAL_SHARE) : value,
                CreatedObjects.replicas(deployment),
                rounding);
    }
}
