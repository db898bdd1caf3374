package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.DumpedVolumes;
import dev.holdfast.operator.offline.dump.admission.Admission;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads files that people write by hand, and adds what a cluster would: a namespace that only other objects name, the
 * status of nodes, pods and disruption budgets, and the pods of workloads that have none. Written fields stay as they
 * are, so a dump of kubectl is also read as it is.
 */
public final class WrittenObjects {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The workloads of which no pod is created; a warning says so. */
    private static final Set<String> NOT_CREATED = Set.of("DaemonSet", "CronJob");

    /** The kinds that say more of the pods that name them. */
    private static final Set<String> CLASSES = Set.of("PriorityClass", "RuntimeClass");

    private static final Set<String> WORKLOADS = Set.of("Deployment", "ReplicaSet", "StatefulSet", "Job");
    private static final int MOST_SHOWN = 60;
    private static final int MOST_REPLICAS = 10_000;
    private static final Set<String> POLICIES = Set.of("PlacementPolicy", "ClusterPlacementPolicy", "EnforcementPause");

    /** The objects of all files so far, as {@code Kind/namespace/name}. */
    private final Set<String> known = new HashSet<>();

    private final List<String> warnings = new ArrayList<>();
    private final List<ObjectNode> classes = new ArrayList<>();
    private final WrittenWorkloads workloads = new WrittenWorkloads(classes);
    private final DumpedVolumes volumes = new DumpedVolumes();
    private Instant newest = Instant.MIN;

    /** Creates a reader of files that begin a cluster. */
    public WrittenObjects() {}

    /**
     * Creates a reader of files that change a cluster.
     *
     * @param present the Deployments and StatefulSets of the cluster that the files may write again
     * @param namespaces the namespaces of the cluster
     */
    public WrittenObjects(Collection<ObjectNode> present, Collection<String> namespaces) {
        for (ObjectNode workload : present) {
            ObjectNode one = workload.deepCopy();
            identify(one);
            workloads.add(key(one), one, false);
        }
        namespaces.forEach(name -> known.add(key("Namespace", "", name)));
    }

    /**
     * The content of files.
     *
     * @param created the pods of new workloads, which wait for a node; they are no part of the dump
     * @param changes what follows for workloads of earlier files that are written again, and for nodes that a file
     *     uncordons
     */
    public record Read(Dump dump, List<ClusterEvent> created, List<Change> changes) {}

    /**
     * {@return the content of files}
     *
     * @throws DumpException if one of them cannot be read to its end
     */
    public Read read(List<DumpFile> files) throws DumpException {
        List<ObjectNode> written = new ArrayList<>();
        for (DumpFile file : files) {
            for (JsonNode document : DumpReader.documents(file)) {
                add(document, file, written);
            }
        }
        List<ObjectNode> objects = new ArrayList<>(classes);
        written.stream()
                .filter(object -> CLASSES.contains(object.path("kind").asText()))
                .forEach(classes::add);
        Set<String> created = new HashSet<>();
        Set<String> owners = owners(written);
        List<Change> changes = new ArrayList<>();
        warnings.clear();
        Map<String, List<ObjectNode>> podsByNamespace = written.stream()
                .filter(object -> object.path("kind").asText().equals("Pod"))
                .collect(Collectors.groupingBy(CreatedObjects::namespace));
        for (ObjectNode object : written) {
            try {
                WrittenSpecs.require(object);
                WrittenStatus.uncordon(object).ifPresent(changes::add);
                if (workloads.has(key(object))) {
                    requireReplicas(object);
                    changes.addAll(workloads.apply(key(object), object));
                } else {
                    complete(object, owners, podsByNamespace, objects, created);
                }
            } catch (UnsupportedOperationException | ClassCastException e) {
                throw new DumpException(shown(object) + ": a field has a value of another type than in Kubernetes", e);
            }
        }
        namespaces(written).forEach((name, object) -> objects.add(object));
        written.forEach(object -> known.add(key(object)));
        return read(objects, created, changes);
    }

    /** {@return when the last of the objects was created; {@link Instant#MIN} if none says when} */
    public Instant newest() {
        return newest;
    }

    private static void add(JsonNode document, DumpFile file, List<ObjectNode> written) throws DumpException {
        if (!(document instanceof ObjectNode object)) {
            throw new DumpException(file.name() + ": a Kubernetes object has fields such as `kind`, and this is "
                    + abbreviated(document.toString()));
        }
        if (object.path("kind").asText().endsWith("List")) {
            for (JsonNode item : object.path("items")) {
                add(item, file, written);
            }
        } else {
            written.addAll(Copies.of(object));
        }
    }

    private static String abbreviated(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }

    /** {@return the workloads that own one of the objects, as {@code Kind/namespace/name}} */
    private static Set<String> owners(List<ObjectNode> written) {
        Set<String> owners = new HashSet<>();
        for (ObjectNode object : written) {
            for (JsonNode owner : object.at("/metadata/ownerReferences")) {
                owners.add(key(
                        owner.path("kind").asText(),
                        CreatedObjects.namespace(object),
                        owner.path("name").asText()));
            }
        }
        return owners;
    }

    private void complete(
            ObjectNode object,
            Set<String> owners,
            Map<String, List<ObjectNode>> podsByNamespace,
            List<ObjectNode> objects,
            Set<String> created)
            throws DumpException {
        noteAge(object);
        objects.add(object);
        identifyOwners(object);
        switch (object.path("kind").asText()) {
            case "Node" -> WrittenStatus.completeNode(object);
            case "Pod" -> WrittenStatus.completePod(object);
            case String kind
            when NOT_CREATED.contains(kind) -> {
                if (!owners.contains(key(object))) {
                    warnings.add(shown(object) + ": no pod of it is in the files, and none is created");
                }
            }
            case String _
            when isWorkload(object) -> {
                requireReplicas(object);
                identify(object);
                if (owners.contains(key(object))) {
                    workloads.add(key(object), object, false);
                    return;
                }
                if (CreatedObjects.replicas(object) > 0 && hasPods(object, podsByNamespace)) {
                    workloads.add(key(object), object, false);
                    warnings.add(
                            shown(object) + ": the files have pods with its labels, but no ReplicaSet that ties these"
                                    + " pods to it: add rs to kubectl get");
                    return;
                }
                workloads.add(key(object), object, true);
                for (ObjectNode other : CreatedObjects.of(object, 1)) {
                    if (other.path("kind").asText().equals("Pod")) {
                        WrittenStatus.completePod(other);
                        created.add(Admission.uid(
                                new NamespacedName(CreatedObjects.namespace(other), CreatedObjects.name(other))));
                    }
                    objects.add(other);
                }
            }
            default -> {}
        }
    }

    /** Gives a workload without a UID one that follows from its name. */
    private static void identify(ObjectNode workload) {
        ObjectNode metadata = workload.withObjectProperty("metadata");
        if (!metadata.has("uid")) {
            metadata.put("uid", key(workload));
        }
    }

    /** Gives an owner reference without a UID that of the workload of this name. */
    private static void identifyOwners(ObjectNode object) {
        for (JsonNode owner : object.at("/metadata/ownerReferences")) {
            if (owner instanceof ObjectNode reference && !reference.has("uid")) {
                reference.put(
                        "uid",
                        key(
                                reference.path("kind").asText(),
                                CreatedObjects.namespace(object),
                                reference.path("name").asText()));
            }
        }
    }

    private static boolean isWorkload(ObjectNode object) {
        return WORKLOADS.contains(object.path("kind").asText());
    }

    private static void requireReplicas(ObjectNode workload) throws DumpException {
        int replicas = CreatedObjects.replicas(workload);
        if (replicas < 0 || replicas > MOST_REPLICAS) {
            throw new DumpException(shown(workload) + ": `replicas` must be a number from 0 to " + MOST_REPLICAS
                    + ", and is " + replicas);
        }
    }

    /**
     * {@return whether a pod is written that the workload probably owns: a dump without ReplicaSets does not say it}
     */
    private static boolean hasPods(ObjectNode workload, Map<String, List<ObjectNode>> podsByNamespace) {
        JsonNode labels = workload.at("/spec/selector/matchLabels");
        return !labels.isEmpty()
                && podsByNamespace.getOrDefault(CreatedObjects.namespace(workload), List.of()).stream()
                        .anyMatch(pod -> labels.properties().stream()
                                .allMatch(label -> pod.at("/metadata/labels")
                                        .path(label.getKey())
                                        .asText()
                                        .equals(label.getValue().asText())));
    }

    private static String shown(ObjectNode object) {
        return object.path("kind").asText() + " " + CreatedObjects.namespace(object) + "/"
                + CreatedObjects.name(object);
    }

    private void noteAge(ObjectNode object) {
        try {
            Instant created =
                    Instant.parse(object.at("/metadata/creationTimestamp").asText());
            newest = created.isAfter(newest) ? created : newest;
        } catch (DateTimeException _) {
            // It does not say when it was created.
        }
    }

    /** {@return the namespaces that only other objects name} */
    private Map<String, ObjectNode> namespaces(List<ObjectNode> written) {
        Set<String> there = new HashSet<>();
        Map<String, ObjectNode> missing = new TreeMap<>();
        for (ObjectNode object : written) {
            if (object.path("kind").asText().equals("Namespace")) {
                there.add(CreatedObjects.name(object));
                known.add(key("Namespace", "", CreatedObjects.name(object)));
            }
        }
        for (ObjectNode object : written) {
            String name = CreatedObjects.namespace(object);
            if (isInNamespace(object) && !there.contains(name) && known.add(key("Namespace", "", name))) {
                ObjectNode namespace = JSON.createObjectNode();
                namespace.put("apiVersion", "v1").put("kind", "Namespace");
                namespace
                        .putObject("metadata")
                        .put("name", name)
                        .putObject("labels")
                        .put("kubernetes.io/metadata.name", name);
                missing.put(name, namespace);
            }
        }
        return missing;
    }

    private static boolean isInNamespace(ObjectNode object) {
        return object.at("/metadata/namespace").isTextual()
                || object.path("kind").asText().equals("Pod")
                || isWorkload(object);
    }

    /** {@return the Deployments whose new templates are not rolled out, because they are paused, as sentences} */
    List<String> paused() {
        return workloads.paused();
    }

    /** {@return the pods to create for a workload that has none and is scaled} */
    public List<Pod> scaled(String kind, NamespacedName name, int replicas) throws DumpException {
        return workloads.scaled(key(kind, name.namespace(), name.name()), replicas);
    }

    private Read read(List<ObjectNode> objects, Set<String> created, List<Change> changes) throws DumpException {
        Dump dump = DecodedObjects.of(objects);
        warnings.addAll(dump.warnings());
        Map<String, Integer> unread = new TreeMap<>(dump.unread());
        unread.keySet().removeAll(NOT_CREATED);
        unread.forEach((kind, count) -> warnings.add(Count.of(count, "object") + " of kind " + kind
                + " left out: nothing depends on them, or their apiVersion is another one"));
        for (ObjectNode policy : dump.policies()) {
            if (!POLICIES.contains(policy.path("kind").asText())) {
                throw new DumpException("holdfast.dev has no kind "
                        + policy.path("kind").asText() + "; there are: " + String.join(", ", new TreeSet<>(POLICIES)));
            }
        }
        List<ClusterEvent> there = new ArrayList<>();
        List<ClusterEvent> waiting = new ArrayList<>();
        for (ClusterEvent event : dump.objects()) {
            if (event instanceof ClusterEvent.PodChanged(Pod pod)) {
                (created.contains(pod.uid()) ? waiting : there).add(event);
            } else {
                there.add(event);
            }
        }
        volumes.addAll(dump.volumes());
        return new Read(
                new Dump(
                        there,
                        dump.policies(),
                        dump.numbers(),
                        warnings,
                        volumes,
                        dump.selectors(),
                        dump.events(),
                        dump.times(),
                        dump.unreadable(),
                        dump.configMaps()),
                waiting,
                changes);
    }

    private static String key(ObjectNode object) {
        return key(object.path("kind").asText(), CreatedObjects.namespace(object), CreatedObjects.name(object));
    }

    private static String key(String kind, String namespace, String name) {
        return kind + "/" + namespace + "/" + name;
    }
}
