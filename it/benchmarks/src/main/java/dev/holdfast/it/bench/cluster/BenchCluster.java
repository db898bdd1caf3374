package dev.holdfast.it.bench.cluster;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.Nodes;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The nodes and pods of a bench: real Deployments in one namespace, whose pods the real controllers made and the real
 * scheduler placed, so that every rule holds in the beginning.
 */
public final class BenchCluster {
    /** The namespace of all pods. */
    public static final String NAMESPACE = "bench";

    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final Duration GLANCE = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final Layout layout;

    private BenchCluster(KubernetesClient client, Layout layout) {
        this.client = client;
        this.layout = layout;
    }

    /** {@return the cluster, once all its pods run} */
    public static BenchCluster create(KubernetesClient client, Layout layout) {
        BenchCluster cluster = new BenchCluster(client, layout);
        cluster.createNodes();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        layout.workloads().forEach(workload -> cluster.create(workload.yaml(NAMESPACE)));
        await("all pods run").atMost(PATIENCE).pollInterval(GLANCE).until(() -> cluster.running() == layout.pods());
        return cluster;
    }

    private void createNodes() {
        for (int i = 1; i <= layout.nodes(); i++) {
            Map<String, String> labels = Map.of(Workload.ZONE, layout.zone(i), "disk", "ssd");
            client.resource(Nodes.node(Layout.node(i), labels)).create();
        }
        await("all nodes are open")
                .atMost(PATIENCE)
                .until(() -> client.nodes().list().getItems().stream().allMatch(Nodes::isSchedulable));
    }

    private void create(String yaml) {
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .create();
    }

    private long running() {
        return client.pods().inNamespace(NAMESPACE).list().getItems().stream()
                .filter(pod -> pod.getStatus().getPhase().equals("Running"))
                .count();
    }

    /** {@return the changes that the pods' places allow} */
    public Changes changes() {
        Map<String, String> zones = client.nodes().list().getItems().stream()
                .collect(Collectors.toMap(
                        node -> node.getMetadata().getName(),
                        node -> node.getMetadata().getLabels().getOrDefault(Workload.ZONE, "")));
        List<Placed> placed = client.pods().inNamespace(NAMESPACE).list().getItems().stream()
                .map(pod -> placed(pod, zones))
                .toList();
        return Changes.of(placed);
    }

    private static Placed placed(Pod pod, Map<String, String> zones) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        String node = pod.getSpec().getNodeName();
        return new Placed(
                NAMESPACE,
                pod.getMetadata().getName(),
                pod.getMetadata().getUid(),
                Role.valueOf(labels.getOrDefault("role", "").toUpperCase(Locale.ROOT)),
                Integer.parseInt(labels.getOrDefault("block", "")),
                node,
                zones.getOrDefault(node, ""));
    }
}
