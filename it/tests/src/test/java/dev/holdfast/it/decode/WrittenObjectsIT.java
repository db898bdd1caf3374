package dev.holdfast.it.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Random objects of each kind, as people write them, are created on a real API server and read back. The file gives the
 * same facts as the cluster, so commands answer the same about both.
 *
 * <p>{@code -Dholdfast.written.objects=N -Dholdfast.written.seed=S} creates other or more objects of each kind.
 */
@Execution(ExecutionMode.CONCURRENT)
class WrittenObjectsIT {
    private static final int OBJECTS = Integer.getInteger("holdfast.written.objects", 300);
    private static final long SEED = Long.getLong("holdfast.written.seed", 20_261_130L);
    private static final int MOST_SHOWN = 20;

    /** The kinds in whose status a controller says later of which generation it is. */
    private static final Set<String> OBSERVED =
            Set.of("PodDisruptionBudget", "Deployment", "ReplicaSet", "StatefulSet", "Job");

    private static final Map<String, String> PATHS = Map.ofEntries(
            Map.entry("Namespace", "/api/v1/namespaces"),
            Map.entry("Node", "/api/v1/nodes"),
            Map.entry("PriorityClass", "/apis/scheduling.k8s.io/v1/priorityclasses"),
            Map.entry("RuntimeClass", "/apis/node.k8s.io/v1/runtimeclasses"),
            Map.entry("StorageClass", "/apis/storage.k8s.io/v1/storageclasses"),
            Map.entry("CSINode", "/apis/storage.k8s.io/v1/csinodes"),
            Map.entry("PersistentVolume", "/api/v1/persistentvolumes"),
            Map.entry("PersistentVolumeClaim", "/api/v1/namespaces/%s/persistentvolumeclaims"),
            Map.entry("PodDisruptionBudget", "/apis/policy/v1/namespaces/%s/poddisruptionbudgets"),
            Map.entry("Deployment", "/apis/apps/v1/namespaces/%s/deployments"),
            Map.entry("ReplicaSet", "/apis/apps/v1/namespaces/%s/replicasets"),
            Map.entry("StatefulSet", "/apis/apps/v1/namespaces/%s/statefulsets"),
            Map.entry("Job", "/apis/batch/v1/namespaces/%s/jobs"),
            Map.entry("Pod", "/api/v1/namespaces/%s/pods"),
            Map.entry("LimitRange", "/api/v1/namespaces/%s/limitranges"),
            Map.entry("ResourceQuota", "/api/v1/namespaces/%s/resourcequotas"));

    private final ObjectMapper json = new ObjectMapper();
    private final YAMLMapper yaml = new YAMLMapper();

    /** The objects as they are written, in the order of their creation. */
    private final List<ObjectNode> written = new ArrayList<>();

    /** The same objects as the API server stores them. */
    private final List<ObjectNode> stored = new ArrayList<>();

    /** What the API server refused, which is a mistake of the test. */
    private final List<String> refused = new ArrayList<>();

    @Test
    void aFileGivesTheFactsOfTheClusterThatItIsAppliedTo() throws IOException, DumpException {
        System.out.println("-Dholdfast.written.seed=" + SEED + " -Dholdfast.written.objects=" + OBJECTS);
        try (ControlPlane controlPlane = ControlPlane.start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(controlPlane.config())
                        .build()) {
            for (String manifest : RandomManifests.first()) {
                create(manifest, client);
            }
            awaitAccounts(client);
            // They would change the objects.
            Stream.of(Program.KWOK, Program.KUBE_SCHEDULER, Program.KUBE_CONTROLLER_MANAGER)
                    .forEach(controlPlane::stop);
            for (List<String> manifests :
                    new RandomManifests(new Random(SEED)).ofEachKind(OBJECTS).values()) {
                assertThat(manifests).hasSize(OBJECTS);
                for (String manifest : manifests) {
                    create(manifest, client);
                }
            }
            assertThat(refused.stream().limit(MOST_SHOWN))
                    .as(refused.size() + " manifests that the API server refused, seed " + SEED)
                    .isEmpty();
            stored.forEach(WrittenObjectsIT::asIfNew);
            // A LimitRange that is created later has no effect on the pods that there are.
            List<ObjectNode> counted =
                    written.stream().filter(it -> !isLater(it)).toList();
            List<String> differences = new ArrayList<>();
            compare(
                    dump(counted),
                    dump(stored.stream().filter(it -> !isLater(it)).toList()),
                    differences);
            compare(
                    dump(written.stream().filter(WrittenObjectsIT::isLater).toList()),
                    dump(stored.stream().filter(WrittenObjectsIT::isLater).toList()),
                    differences);
            assertThat(differences.stream().limit(MOST_SHOWN))
                    .as(differences.size() + " differences, seed " + SEED)
                    .isEmpty();
        }
    }

    private static boolean isLater(ObjectNode object) {
        return object.path("kind").asText().equals("LimitRange")
                && object.at("/metadata/name").asText().startsWith("limits-");
    }

    private void create(String manifest, KubernetesClient client) throws IOException {
        ObjectNode object = (ObjectNode) yaml.readTree(manifest);
        String path = Objects.requireNonNull(PATHS.get(object.path("kind").asText()))
                .formatted(object.at("/metadata/namespace").asText());
        try {
            String answer = client.raw(path, "POST", json.writeValueAsString(object));
            stored.add((ObjectNode) json.readTree(Objects.requireNonNull(answer)));
            written.add(object);
        } catch (KubernetesClientException e) {
            refused.add(e.getStatus().getMessage() + ": " + manifest);
        }
    }

    private static void awaitAccounts(KubernetesClient client) {
        for (String namespace : List.of(RandomManifests.PLAIN, RandomManifests.LIMITED)) {
            await().atMost(TimeLimits.STATE)
                    .until(() -> client.serviceAccounts()
                                    .inNamespace(namespace)
                                    .withName("default")
                                    .get()
                            != null);
        }
    }

    /** Replaces what differs in each cluster: identity and time. A UID stays: the object is one of a cluster. */
    private static void asIfNew(ObjectNode stored) {
        ObjectNode metadata = (ObjectNode) stored.path("metadata");
        String kind = stored.path("kind").asText();
        metadata.put(
                "uid",
                kind + "/" + metadata.path("namespace").asText() + "/"
                        + metadata.path("name").asText());
        metadata.put("resourceVersion", "1").remove(List.of("creationTimestamp", "managedFields"));
        if (OBSERVED.contains(kind)) {
            metadata.remove("generation");
        }
        if (kind.equals("PodDisruptionBudget")) {
            stored.remove("status");
        }
        if (kind.equals("Node")) {
            withoutTaintOfNewNodes(stored.path("spec"));
        }
    }

    /** Each new node has a taint, which the node lifecycle controller takes away once the node is Ready. */
    private static void withoutTaintOfNewNodes(JsonNode spec) {
        if (spec.path("taints") instanceof ArrayNode taints) {
            for (int i = taints.size() - 1; i >= 0; i--) {
                if (taints.get(i).path("key").asText().equals("node.kubernetes.io/not-ready")) {
                    taints.remove(i);
                }
            }
        }
    }

    private Dump dump(List<ObjectNode> objects) throws DumpException {
        ObjectNode list = json.createObjectNode().put("apiVersion", "v1").put("kind", "List");
        list.putArray("items").addAll(objects);
        byte[] bytes = list.toString().getBytes(UTF_8);
        Dump dump =
                new DumpReader(_ -> {}).read(List.of(new DumpFile("objects", () -> new ByteArrayInputStream(bytes))));
        assertThat(dump.warnings()).isEmpty();
        return dump;
    }

    private void compare(Dump file, Dump cluster, List<String> differences) {
        Map<String, Object> ofFile = facts(file);
        Map<String, Object> ofCluster = facts(cluster);
        assertThat(ofFile.keySet()).isEqualTo(ofCluster.keySet());
        ofFile.forEach((name, fact) -> {
            if (!fact.equals(ofCluster.get(name))) {
                differences.add(name + "\n file:    " + fact + "\n cluster: " + ofCluster.get(name));
            }
        });
    }

    private Map<String, Object> facts(Dump dump) {
        Map<String, Object> facts = new TreeMap<>();
        for (ClusterEvent event : dump.objects()) {
            facts.put(String.valueOf(key(event)), event);
        }
        for (ObjectNode object : written) {
            String name = object.at("/metadata/name").asText();
            NamespacedName namespaced =
                    new NamespacedName(object.at("/metadata/namespace").asText(), name);
            switch (object.path("kind").asText()) {
                case "PersistentVolumeClaim" ->
                    facts.put("claim " + name, dump.volumes().claim(namespaced));
                case "PersistentVolume" ->
                    facts.put("volume " + name, dump.volumes().volume(name));
                case "StorageClass" -> facts.put("class " + name, dump.volumes().storageClass(name));
                default -> {
                    // It is one of the events.
                }
            }
        }
        return facts;
    }

    private static String key(ClusterEvent event) {
        return switch (event) {
            case ClusterEvent.PodChanged(var pod) -> "Pod " + pod.name();
            case ClusterEvent.NodeChanged(var node) -> "Node " + node.name();
            case ClusterEvent.NamespaceChanged(var namespace) -> "Namespace " + namespace.name();
            case ClusterEvent.OwnerChanged(var owner) -> owner.kind() + " " + owner.name();
            case ClusterEvent.BudgetChanged(var budget) -> "Budget " + budget.name();
            case ClusterEvent.QuotaChanged(var quota) -> "Quota " + quota.name();
            case ClusterEvent.LimitRangeChanged(var limitRange) -> "LimitRange " + limitRange.name();
            case ClusterEvent.CsiNodeChanged(var csiNode) -> "CSINode " + csiNode;
            case ClusterEvent.PodGone _,
                    ClusterEvent.NodeGone _,
                    ClusterEvent.NodeUnread _,
                    ClusterEvent.NamespaceGone _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.BudgetGone _,
                    ClusterEvent.QuotaGone _,
                    ClusterEvent.LimitRangeGone _,
                    ClusterEvent.CsiNodeGone _ -> throw new AssertionError("a file says what there is: " + event);
        };
    }
}
