package dev.holdfast.it.placement;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.decode.JsonFacts;
import dev.holdfast.operator.decode.JsonStorage;
import dev.holdfast.operator.decode.StorageClassDecoder;
import dev.holdfast.operator.decode.VolumeDecoder;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.plan.Due;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.feasibility.Feasibility;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Moves;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The cluster as the planner knows it, read once from the API server, and the nodes that it names for a pod. */
final class KnownSeats {
    /** A node that only the planner knows. Pods run there until they must move. */
    private static final String HOME = "home";

    private static final int MILLI = 3;

    private final JsonFacts facts = new JsonFacts();
    private final ReferenceCluster cluster = new ReferenceCluster();
    private final Map<NamespacedName, ClaimedVolume> volumes = new HashMap<>();
    private final Map<String, StorageClassDecoder.StorageClass> classes = new HashMap<>();
    private final Map<String, ResourceQuota> quotas = new HashMap<>();

    KnownSeats(KubernetesClient client, ObjectMapper json) {
        List<Node> nodes = client.nodes().list().getItems().stream()
                .map(node -> facts.node(json.valueToTree(node)))
                .toList();
        nodes.forEach(node -> cluster.apply(new ClusterEvent.NodeChanged(node)));
        cluster.apply(new ClusterEvent.NodeChanged(home(nodes.getFirst())));
        client.pods().inAnyNamespace().list().getItems().stream()
                .map(pod -> facts.pod(json.valueToTree(pod)))
                .forEach(pod -> cluster.apply(new ClusterEvent.PodChanged(pod)));
        client.storage().v1().csiNodes().list().getItems().stream()
                .map(csiNode -> JsonStorage.csiNode(json.valueToTree(csiNode)).object())
                .forEach(csiNode -> cluster.apply(new ClusterEvent.CsiNodeChanged(csiNode)));
        client.storage()
                .v1()
                .storageClasses()
                .list()
                .getItems()
                .forEach(it -> classes.put(it.getMetadata().getName(), JsonStorage.storageClass(json.valueToTree(it))));
        client.resourceQuotas().inAnyNamespace().list().getItems().stream()
                .map(quota -> JsonStorage.quota(json.valueToTree(quota)).object())
                .forEach(quota -> quotas.put(quota.name().namespace(), quota));
        client.persistentVolumes().list().getItems().forEach(volume -> {
            VolumeDecoder.Volume known = JsonStorage.volume(json.valueToTree(volume));
            volumes.put(
                    new NamespacedName(
                            volume.getSpec().getClaimRef().getNamespace(),
                            volume.getSpec().getClaimRef().getName()),
                    new ClaimedVolume.Bound(volume.getMetadata().getName(), known.reach(), known.csi()));
        });
    }

    /** {@return a copy of a node without labels} */
    private static Node home(Node node) {
        return new Node(HOME, HOME, 1, Labels.none(), List.of(), false, node.life(), node.allocatable());
    }

    /** {@return the names of the nodes that would take a replacement of the pod; none if it would be refused} */
    Set<String> nodesFor(JsonNode manifest) {
        Pod pod = facts.pod(running(manifest));
        cluster.apply(new ClusterEvent.PodChanged(pod));
        ResourceQuota quota = quotas.get(pod.namespace());
        if (quota != null) {
            cluster.apply(new ClusterEvent.QuotaChanged(with(pod, quota)));
        }
        Candidate candidate = Due.candidate(cluster, pod.uid());
        Situation situation = situation(pod, manifest);
        Set<String> nodes = isRefused(candidate, situation)
                ? Set.of()
                : cluster.nodes().stream()
                        .map(Node::name)
                        .filter(node -> !node.equals(HOME) && Feasibility.takes(node, candidate, situation))
                        .collect(Collectors.toSet());
        cluster.apply(new ClusterEvent.PodGone(pod.uid()));
        return nodes;
    }

    private static boolean isRefused(Candidate candidate, Situation situation) {
        return Checks.all().ofCandidate().stream()
                .flatMap(check -> check.against(candidate, situation).stream())
                .anyMatch(hold -> hold.reason() == Reason.QUOTA_EXCEEDED);
    }

    /** {@return the manifest of the pod as it runs at home} */
    private JsonNode running(JsonNode manifest) {
        ObjectNode pod = manifest.deepCopy();
        pod.withObject("/metadata")
                .put("uid", manifest.at("/metadata/name").asText())
                .put("resourceVersion", "1")
                .put("creationTimestamp", "2026-01-01T00:00:00Z");
        pod.withObject("/spec").put("nodeName", HOME);
        pod.withObject("/status").put("phase", "Running");
        return pod;
    }

    /** {@return the quota while the pod runs, too} */
    private static ResourceQuota with(Pod pod, ResourceQuota quota) {
        Resources requests = pod.podRequirements().requests();
        boolean bestEffort = requests.milliCpu() == 0 && requests.memory() == 0;
        if (quota.scopes().contains("BestEffort") && !bestEffort) {
            return quota;
        }
        Map<String, BigDecimal> used = new HashMap<>(quota.used());
        used.computeIfPresent("pods", (_, amount) -> amount.add(BigDecimal.ONE));
        used.computeIfPresent(
                "requests.cpu",
                (_, amount) ->
                        amount.add(BigDecimal.valueOf(requests.milliCpu()).movePointLeft(MILLI)));
        used.computeIfPresent("requests.memory", (_, amount) -> amount.add(BigDecimal.valueOf(requests.memory())));
        return new ResourceQuota(quota.uid(), quota.name(), quota.scopes(), quota.hard(), used);
    }

    private Situation situation(Pod pod, JsonNode manifest) {
        Situation situation = Due.situation(cluster, new Moves());
        Instant later = Instant.now().plus(Duration.ofHours(1));
        volumes.forEach((claim, volume) -> situation.cluster().volumeTopology().put(claim, volume, later));
        manifest.at("/spec/volumes").forEach(volume -> {
            String storageClass = volume.at("/ephemeral/volumeClaimTemplate/spec/storageClassName")
                    .asText();
            if (!storageClass.isEmpty()) {
                StorageClassDecoder.StorageClass known = requireNonNull(classes.get(storageClass));
                situation
                        .cluster()
                        .volumeTopology()
                        .put(
                                new NamespacedName(
                                        pod.namespace(),
                                        pod.name().name() + "-"
                                                + volume.path("name").asText()),
                                new ClaimedVolume.OnDemand(storageClass, known.reach(), known.provisioner()),
                                later);
            }
        });
        return new Situation(
                situation.cluster(),
                situation.rules(),
                situation.clusterSignals(),
                situation.planLimits(),
                situation.moves(),
                later);
    }
}
