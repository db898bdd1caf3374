package dev.holdfast.it.bench.cluster;

import dev.holdfast.it.controlplane.NodeObjects;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerImageBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Factory of the {@link Stencil templates} of a node, and of a pod and a ReplicaSet for each {@link WorkloadRole}. Each
 * template is created through kube-apiserver and completed as a kubelet and the controllers would do. The objects are
 * as large as in a production cluster: environment variables, mounts, probes, images, managed fields.
 */
final class TemplateObjects {
    /** The namespace in the templates. Like each value below, it has the length of the values that replace it. */
    static final String NAMESPACE = "scale-tmp";

    static final String NODE = "bench-nnnn";
    static final String ZONE = "zone-Z";
    static final int BLOCK = 9999;
    static final String TURN = "turn-000000";
    static final String HASH = "7d4b9c6f5";

    private static final int REPLICA = 99_999;
    private static final int VARIABLES = 9;
    private static final int IMAGES = 40;

    private final KubernetesClient client;

    /**
     * @param client the client of a cluster whose controllers and scheduler have stopped
     */
    TemplateObjects(KubernetesClient client) {
        this.client = client;
    }

    /** {@return the name of a pod} All names of one role have the same length. */
    static String pod(WorkloadRole workloadRole, int block, int replica) {
        return String.format(Locale.ROOT, "%s-%04d-%05d", workloadRole.label(), block, replica);
    }

    /** {@return the name of the ReplicaSet of a workload} */
    static String owner(WorkloadRole workloadRole, int block) {
        return String.format(Locale.ROOT, "%s-%04d-rs", workloadRole.label(), block);
    }

    /** {@return the UID of the ReplicaSet of a workload} */
    static String ownerUid(WorkloadRole workloadRole, int block) {
        return String.format(
                Locale.ROOT,
                "%08x-0000-4000-8000-00000000%04d",
                workloadRole.label().hashCode(),
                block);
    }

    /** Creates a pod of this role, marks it as running, and returns it. It is not deleted. */
    Pod running(WorkloadRole workloadRole) {
        Deployment deployment =
                (Deployment) client.load(new ByteArrayInputStream(new BenchDeployment(workloadRole, BLOCK, 1)
                                .yaml(NAMESPACE)
                                .getBytes(StandardCharsets.UTF_8)))
                        .items()
                        .getFirst();
        PodTemplateSpec template = deployment.getSpec().getTemplate();
        Pod pod = client.resource(new PodBuilder()
                        .withMetadata(template.getMetadata())
                        .editMetadata()
                        .withName(pod(workloadRole, BLOCK, REPLICA))
                        .withNamespace(NAMESPACE)
                        .addToLabels("pod-template-hash", HASH)
                        .addToLabels(BenchDeployment.ZONE, ZONE)
                        .addToLabels("topology.kubernetes.io/region", "region-1")
                        .addToAnnotations("bench.holdfast.dev/turn", TURN)
                        .addToAnnotations("prometheus.io/scrape", "true")
                        .addToAnnotations("prometheus.io/port", "9090")
                        .withOwnerReferences(new OwnerReferenceBuilder()
                                .withApiVersion("apps/v1")
                                .withKind("ReplicaSet")
                                .withName(owner(workloadRole, BLOCK))
                                .withUid(ownerUid(workloadRole, BLOCK))
                                .withController(true)
                                .withBlockOwnerDeletion(true)
                                .build())
                        .endMetadata()
                        .withSpec(template.getSpec())
                        .editSpec()
                        .withNodeName(NODE)
                        .withContainers(container("main"), container("proxy"))
                        .endSpec()
                        .build())
                .create();
        pod.setStatus(running(pod));
        return client.resource(pod).updateStatus();
    }

    /**
     * Creates and deletes a pod, and returns its template. The words to replace are: name, UID, namespace, node, zone,
     * block, and {@link #TURN}, a counter of the updates.
     */
    Stencil pod(WorkloadRole workloadRole) throws InterruptedException {
        Pod made = running(workloadRole);
        String path = "/api/v1/namespaces/" + NAMESPACE + "/pods/"
                + made.getMetadata().getName();
        List<String> words = List.of(
                made.getMetadata().getName(),
                made.getMetadata().getUid(),
                NAMESPACE,
                NODE,
                ZONE,
                Integer.toString(BLOCK),
                TURN);
        return taken(made, path, words);
    }

    private static Container container(String name) {
        List<EnvVar> variables = IntStream.range(0, VARIABLES)
                .mapToObj(i -> new EnvVarBuilder()
                        .withName("SERVICE_SETTING_" + i)
                        .withValue("https://service-" + i + ".example.com:8443/v1")
                        .build())
                .toList();
        Map<String, Quantity> requests = Map.of("cpu", new Quantity("50m"), "memory", new Quantity("64Mi"));
        return new ContainerBuilder()
                .withName(name)
                .withImage("images.example.com/team/" + name
                        + "@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
                .withArgs("--listen=:8080", "--log-format=json", "--shutdown-timeout=25s")
                .withEnv(variables)
                .addNewPort()
                .withName("http")
                .withContainerPort(8080)
                .endPort()
                .withNewResources()
                .withRequests(requests)
                .withLimits(requests)
                .endResources()
                .withNewReadinessProbe()
                .withNewHttpGet()
                .withPath("/readyz")
                .withNewPort(8080)
                .endHttpGet()
                .endReadinessProbe()
                .withNewLivenessProbe()
                .withNewHttpGet()
                .withPath("/livez")
                .withNewPort(8080)
                .endHttpGet()
                .endLivenessProbe()
                .build();
    }

    private static PodStatus running(Pod pod) {
        String now = pod.getMetadata().getCreationTimestamp();
        return new PodStatusBuilder()
                .withPhase("Running")
                .withStartTime(now)
                .withHostIP("10.0.0.1")
                .withPodIP("10.128.0.1")
                .addNewPodIP()
                .withIp("10.128.0.1")
                .endPodIP()
                .withConditions(
                        List.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
                                .stream()
                                .map(type -> new PodConditionBuilder()
                                        .withType(type)
                                        .withStatus("True")
                                        .withLastTransitionTime(now)
                                        .build())
                                .toList())
                .withContainerStatuses(pod.getSpec().getContainers().stream()
                        .map(container -> new ContainerStatusBuilder()
                                .withName(container.getName())
                                .withImage(container.getImage())
                                .withImageID(container.getImage())
                                .withContainerID(
                                        "containerd://9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
                                .withReady(true)
                                .withStarted(true)
                                .withRestartCount(0)
                                .withNewState()
                                .withNewRunning(now)
                                .endState()
                                .build())
                        .toList())
                .build();
    }

    /** Creates and deletes a ReplicaSet, and returns its template. The words to replace are: UID, namespace, block. */
    Stencil replicaSet(WorkloadRole workloadRole, int replicas) throws InterruptedException {
        Map<String, String> labels = Map.of("app", new BenchDeployment(workloadRole, BLOCK, replicas).name());
        ReplicaSet replicaSet = client.resource(new ReplicaSetBuilder()
                        .withNewMetadata()
                        .withName(owner(workloadRole, BLOCK))
                        .withNamespace(NAMESPACE)
                        .withLabels(labels)
                        .addToAnnotations("deployment.kubernetes.io/revision", "1")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(replicas)
                        .withNewSelector()
                        .withMatchLabels(labels)
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .withLabels(labels)
                        .endMetadata()
                        .withNewSpec()
                        .withContainers(container("main"), container("proxy"))
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
        replicaSet.setStatus(new ReplicaSetStatusBuilder()
                .withReplicas(replicas)
                .withReadyReplicas(replicas)
                .withAvailableReplicas(replicas)
                .withObservedGeneration(1L)
                .build());
        ReplicaSet made = client.resource(replicaSet).updateStatus();
        String path = "/apis/apps/v1/namespaces/" + NAMESPACE + "/replicasets/" + owner(workloadRole, BLOCK);
        return taken(made, path, List.of(made.getMetadata().getUid(), NAMESPACE, Integer.toString(BLOCK)));
    }

    /**
     * Creates and deletes a node, and returns its template. The words to replace are: name, UID, zone, and {@link
     * #TURN}, a counter of the updates.
     */
    Stencil node() throws InterruptedException {
        Node node = client.resource(
                        new NodeBuilder(NodeObjects.node(NODE, Map.of(BenchDeployment.ZONE, ZONE, "disk", "ssd")))
                                .editMetadata()
                                .addToLabels("topology.kubernetes.io/region", "region-1")
                                .addToLabels("kubernetes.io/arch", "amd64")
                                .addToLabels("kubernetes.io/os", "linux")
                                .addToAnnotations("bench.holdfast.dev/turn", TURN)
                                .endMetadata()
                                .build())
                .create();
        // The taint that the node lifecycle controller removes from a ready node.
        node.getSpec().setTaints(List.of());
        Node open = client.resource(node).update();
        String now = open.getMetadata().getCreationTimestamp();
        open.getStatus()
                .setConditions(List.of("MemoryPressure", "DiskPressure", "PIDPressure", "Ready").stream()
                        .map(type -> new NodeConditionBuilder()
                                .withType(type)
                                .withStatus(type.equals("Ready") ? "True" : "False")
                                .withReason("Kubelet" + type)
                                .withMessage("kubelet says so of " + type)
                                .withLastHeartbeatTime(now)
                                .withLastTransitionTime(now)
                                .build())
                        .toList());
        open.getStatus()
                .setImages(IntStream.range(0, IMAGES)
                        .mapToObj(i -> new ContainerImageBuilder()
                                .withNames("images.example.com/team/image-" + i + ":v1")
                                .withSizeBytes(100_000_000L + i)
                                .build())
                        .toList());
        Node made = client.resource(open).updateStatus();
        return taken(
                made, "/api/v1/nodes/" + NODE, List.of(NODE, made.getMetadata().getUid(), ZONE, TURN));
    }

    /** Makes the template of an object and deletes the object from the cluster. */
    private Stencil taken(HasMetadata made, String path, List<String> words) throws InterruptedException {
        Stencil stencil = Stencil.of(new RawReads(client).get(path, "application/vnd.kubernetes.protobuf"), words);
        client.resource(made).withGracePeriod(0).delete();
        return stencil;
    }
}
