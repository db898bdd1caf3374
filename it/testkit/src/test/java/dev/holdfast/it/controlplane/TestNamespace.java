package dev.holdfast.it.controlplane;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A namespace with its own nodes for one test; its application runs only on these nodes. */
final class TestNamespace {

    private static final Map<String, String> APP = Map.of("app", "web");

    private final KubernetesClient client;
    private final String name;

    private TestNamespace(KubernetesClient client, String name) {
        this.client = client;
        this.name = name;
    }

    static TestNamespace create(KubernetesClient client) {
        return new TestNamespace(
                client,
                client.resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withGenerateName("control-plane-")
                                .endMetadata()
                                .build())
                        .create()
                        .getMetadata()
                        .getName());
    }

    String name() {
        return name;
    }

    /** Creates a node for this test's pods and returns its name. */
    String createNode(String prefix) {
        String node = prefix + "-" + name;
        client.resource(NodeObjects.node(node, Map.of("pool", name))).create();
        return node;
    }

    Node node(String node) {
        return client.nodes().withName(node).require();
    }

    void leavePool(String node) {
        client.nodes().withName(node).edit(it -> {
            it.getMetadata().getLabels().remove("pool");
            return it;
        });
    }

    void createDeployment(int replicas) {
        client.resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withNamespace(name)
                        .withName("web")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(replicas)
                        .withNewSelector()
                        .withMatchLabels(APP)
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .withLabels(APP)
                        .endMetadata()
                        .withNewSpec()
                        .withNodeSelector(Map.of("pool", name))
                        .addNewContainer()
                        .withName("web")
                        .withImage("web")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
    }

    void createBudget(String budget, int minAvailable) {
        client.resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withNamespace(name)
                        .withName(budget)
                        .endMetadata()
                        .withNewSpec()
                        .withNewMinAvailable(minAvailable)
                        .withNewSelector()
                        .withMatchLabels(APP)
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
    }

    /**
     * {@return {@code disruptionsAllowed} of the PodDisruptionBudget, or -1 before the disruption controller has set
     * it}
     */
    int disruptionsAllowed(String budget) {
        PodDisruptionBudgetStatus status = client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(name)
                .withName(budget)
                .require()
                .getStatus();
        return status == null || status.getObservedGeneration() == null ? -1 : status.getDisruptionsAllowed();
    }

    /** {@return the pods that run and are not being deleted, sorted by name} */
    List<Pod> runningPods() {
        return client.pods().inNamespace(name).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> pod.getStatus().getPhase().equals("Running"))
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    List<String> nodesInUse() {
        return runningPods().stream()
                .map(pod -> pod.getSpec().getNodeName())
                .sorted()
                .toList();
    }

    /**
     * Requests an eviction, without retries.
     *
     * @param dryRun {@code All} for a dry run, or nothing for a real eviction
     */
    void evict(Pod pod, String... dryRun) {
        String path =
                "/api/v1/namespaces/" + name + "/pods/" + pod.getMetadata().getName() + "/eviction";
        client.raw(
                path,
                "POST",
                new EvictionBuilder()
                        .withNewMetadata()
                        .withNamespace(name)
                        .withName(pod.getMetadata().getName())
                        .addToAnnotations("holdfast.dev/plan", "p1")
                        .endMetadata()
                        .withDeleteOptions(new DeleteOptionsBuilder()
                                .withDryRun(dryRun)
                                .withNewPreconditions()
                                .withUid(pod.getMetadata().getUid())
                                .endPreconditions()
                                .build())
                        .build());
    }
}
