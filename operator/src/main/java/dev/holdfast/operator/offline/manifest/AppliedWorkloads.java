package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.AsWritten;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.text.WithoutSecrets;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Deployments, StatefulSets and nodes of files that are applied to a cluster, which is read from a dump. If a
 * workload has another pod template, it is rolled out.
 */
public final class AppliedWorkloads {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The workloads of no file. */
    public static final AppliedWorkloads NONE = new AppliedWorkloads(List.of());

    private static final String NODE = "Node";
    private static final String NAMESPACE = "Namespace";
    private static final String DAEMON_SET = "DaemonSet";
    private static final Set<String> KEPT = Set.of(NODE, NAMESPACE, DAEMON_SET);
    private static final Set<String> CLASSES = Set.of("PriorityClass", "RuntimeClass");

    private final Map<String, ObjectNode> applied = new TreeMap<>();
    private final List<ObjectNode> classes = new ArrayList<>();
    private final AppliedNodes nodes = new AppliedNodes();
    private final Set<String> namespaces = new HashSet<>();
    private final List<String> daemonSets = new ArrayList<>();
    private final AsWritten present;

    private AppliedWorkloads(List<ObjectNode> objects) {
        objects.forEach(object -> {
            switch (object.path("kind").asText()) {
                case String _ when AsWritten.isWorkload(object) -> applied.put(AsWritten.key(object), object);
                case NODE -> nodes.add(object);
                case NAMESPACE -> namespaces.add(CreatedObjects.name(object));
                case DAEMON_SET -> daemonSets.add(titled(AsWritten.key(object)));
                default -> classes.add(object);
            }
        });
        present = new AsWritten(applied.keySet());
    }

    /**
     * {@return the workloads in files, with the PriorityClasses and RuntimeClasses that their pods may name}
     *
     * @throws DumpException if a file cannot be read to its end
     */
    public static AppliedWorkloads in(List<DumpFile> files) throws DumpException {
        List<ObjectNode> workloads = new ArrayList<>();
        for (DumpFile file : files) {
            for (JsonNode document : DumpReader.documents(file)) {
                add(document, workloads);
            }
        }
        return new AppliedWorkloads(workloads);
    }

    private static void add(JsonNode document, List<ObjectNode> workloads) {
        if (document instanceof ObjectNode object
                && (AsWritten.isWorkload(object)
                        || KEPT.contains(object.path("kind").asText())
                        || CLASSES.contains(object.path("kind").asText()))) {
            workloads.add(object);
        }
        if (document.path("kind").asText().endsWith("List")) {
            document.path("items").forEach(item -> add(item, workloads));
        }
    }

    /** {@return where the reader of the cluster puts these workloads as they are before} */
    public AsWritten present() {
        return present;
    }

    /**
     * What follows.
     *
     * @param changes the roll-outs, scalings and uncordons
     * @param played the workloads of which they are, as {@link AsWritten#key} names them
     * @param nodes what is applied in place of nodes that people wrote, by name
     * @param warnings why the roll-outs of the other workloads are not played, as sentences
     */
    public record Played(
            List<Change> changes,
            Set<String> played,
            Map<String, Optional<ClusterEvent>> nodes,
            List<String> warnings) {
        public Played {
            changes = List.copyOf(changes);
            played = Set.copyOf(played);
            nodes = Map.copyOf(nodes);
            warnings = List.copyOf(warnings);
        }

        /** {@return the content of the files without what these changes are about, with complete nodes} */
        public Dump without(Dump files) {
            return files.withObjects(files.objects().stream()
                    .filter(event -> !isAbout(event))
                    .flatMap(event -> completed(event).stream())
                    .toList());
        }

        private Optional<ClusterEvent> completed(ClusterEvent event) {
            return event instanceof ClusterEvent.NodeChanged(Node node)
                    ? nodes.getOrDefault(node.name(), Optional.of(event))
                    : Optional.of(event);
        }

        private boolean isAbout(ClusterEvent event) {
            return event instanceof ClusterEvent.OwnerChanged(Owner owner)
                    && played.contains(owner.kind() + "/" + owner.name());
        }
    }

    /**
     * {@return what follows in a cluster, after it was read}
     *
     * @throws DumpException if the API server would refuse a workload
     */
    public Played in(Collection<ClusterEvent> cluster) throws DumpException {
        Cluster known = Cluster.of(cluster);
        Map<String, ObjectNode> before =
                present.found().stream().collect(Collectors.toMap(AsWritten::key, workload -> workload));
        List<String> warnings = new ArrayList<>();
        daemonSets.forEach(name -> warnings.add(
                "the roll-out of " + name + " is not played: its pods stay as they are, and none is created"));
        List<DumpFile> files = new ArrayList<>(withClasses(List.of()));
        classes.forEach(it -> files.add(asFile(AsWritten.key(it), it)));
        Set<String> played = new HashSet<>();
        List<ObjectNode> created = new ArrayList<>();
        applied.forEach((key, workload) -> {
            Optional<ObjectNode> old = Optional.ofNullable(before.get(key));
            boolean isNew = old.isEmpty() && known.lacks(workload);
            Optional<String> refused = refusal(key, workload, known);
            Optional<String> missing = isNew ? Optional.empty() : missing(key, old, known);
            if (refused.isPresent()) {
                played.add(key);
                warnings.add(refused.get());
            } else if (missing.isPresent()) {
                warnings.add(titled(key) + " applied, but its roll-out is not played, because the input has no "
                        + missing.get());
            } else if (isNew && WrittenWorkloads.isPaused(workload)) {
                played.add(key);
                warnings.add(titled(key) + " is new and paused, so it creates no pod");
            } else {
                played.add(key);
                files.add(asFile(key, workload));
                old.flatMap(it -> leftOut(key, it, workload)).ifPresent(warnings::add);
                if (isNew) {
                    created.add(workload);
                }
            }
        });
        WrittenObjects written = new WrittenObjects(present.found(), known.namespaces());
        WrittenObjects.Read read = written.read(files);
        warnings.addAll(written.paused());
        warnings.addAll(nodes.warnings(cluster));
        List<Change> changes = new ArrayList<>(create(created, read.dump().objects(), written));
        changes.addAll(read.changes());
        changes.addAll(nodes.uncordons());
        return new Played(changes, played, nodes.in(cluster), warnings);
    }

    /**
     * What a cluster has.
     *
     * @param kinds the kinds of workloads that it has
     * @param workloads the workloads, as {@link AsWritten#key} names them
     * @param withReplicaSets the Deployments with a ReplicaSet, by namespace and name
     */
    private record Cluster(
            Set<String> kinds, Set<String> workloads, Set<String> withReplicaSets, List<String> namespaces) {
        static Cluster of(Collection<ClusterEvent> objects) {
            Cluster cluster = new Cluster(new HashSet<>(), new HashSet<>(), new HashSet<>(), new ArrayList<>());
            for (ClusterEvent event : objects) {
                if (event instanceof ClusterEvent.OwnerChanged(Owner owner)) {
                    cluster.kinds.add(owner.kind());
                    cluster.workloads.add(owner.kind() + "/" + owner.name());
                    owner.controller()
                            .ifPresent(it ->
                                    cluster.withReplicaSets.add(owner.name().namespace() + "/" + it.name()));
                }
                if (event instanceof ClusterEvent.NamespaceChanged(Namespace namespace)) {
                    cluster.namespaces.add(namespace.name());
                }
            }
            return cluster;
        }

        /** {@return whether a workload is new: others of its kind were read} */
        boolean lacks(ObjectNode workload) {
            return kinds.contains(workload.path("kind").asText()) && !workloads.contains(AsWritten.key(workload));
        }
    }

    private Optional<String> refusal(String key, ObjectNode workload, Cluster known) {
        String namespace = CreatedObjects.namespace(workload);
        return known.namespaces().isEmpty() || known.namespaces().contains(namespace) || namespaces.contains(namespace)
                ? Optional.empty()
                : Optional.of(titled(key) + " is not applied, because there is no namespace " + namespace
                        + ": the API server would refuse it");
    }

    /** {@return what the input lacks to play the roll-out of a workload, and what to do} */
    private static Optional<String> missing(String key, Optional<ObjectNode> before, Cluster known) {
        return before.isEmpty()
                ? Optional.of("object of its name, as JSON or YAML: give -f with deploy,rs,sts")
                : before.filter(_ -> key.startsWith("Deployment/"))
                        .filter(it -> CreatedObjects.replicas(it) > 0)
                        .filter(_ -> !known.withReplicaSets().contains(key.substring(key.indexOf('/') + 1)))
                        .map(_ -> "ReplicaSet of it: add rs to kubectl get");
    }

    private static String titled(String key) {
        return key.replaceFirst("/", " ");
    }

    /** {@return the creation of new workloads: first the objects that own pods, then the pods} */
    private static List<Change> create(
            List<ObjectNode> workloads, Collection<ClusterEvent> objects, WrittenObjects written) throws DumpException {
        List<Change> changes = new ArrayList<>();
        if (!workloads.isEmpty()) {
            changes.add(new Change.AddObjects(objects.stream()
                    .filter(ClusterEvent.OwnerChanged.class::isInstance)
                    .toList()));
        }
        for (ObjectNode workload : workloads) {
            String kind = workload.path("kind").asText();
            NamespacedName name = new NamespacedName(CreatedObjects.namespace(workload), CreatedObjects.name(workload));
            int replicas = CreatedObjects.replicas(workload);
            changes.add(new Change.Scale(kind, name, replicas, written.scaled(kind, name, replicas)));
        }
        return changes;
    }

    /** {@return how many objects of files have no effect, by kind, without those of which there is a warning} */
    public static Map<String, Integer> withoutEffect(Dump files) {
        Map<String, Integer> kinds = new TreeMap<>(files.unread());
        kinds.remove(DAEMON_SET);
        return kinds;
    }

    /** {@return the files after the PriorityClasses and RuntimeClasses of the cluster that their pods may name} */
    public List<DumpFile> withClasses(List<DumpFile> files) {
        return Stream.concat(present.classes().stream().map(it -> asFile(AsWritten.key(it), it)), files.stream())
                .toList();
    }

    /** {@return which parts of a template are not compared, as a sentence; empty if all of it is} */
    private static Optional<String> leftOut(String key, ObjectNode stored, ObjectNode workload) {
        ObjectNode template = workload.deepCopy().withObjectProperty("spec").withObjectProperty("template");
        return Optional.of(key.replaceFirst("/", " ")
                        + ": its environment, commands, probe requests and annotations are not compared, because"
                        + " `holdfast dump` left them out: another value of them is no roll-out here")
                .filter(_ -> WithoutSecrets.isCopy(stored)
                        && !WithoutSecrets.of(template).equals(template));
    }

    private static DumpFile asFile(String name, ObjectNode workload) {
        try {
            byte[] bytes = JSON.writeValueAsBytes(workload);
            return new DumpFile(name, () -> new ByteArrayInputStream(bytes));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of JSON cannot be written", e);
        }
    }
}
