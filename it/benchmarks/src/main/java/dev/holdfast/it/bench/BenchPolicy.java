package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.FilledCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A ClusterPlacementPolicy of a bench. */
record BenchPolicy(KubernetesClient client, String name) {
    private static final ResourceDefinitionContext KIND = new ResourceDefinitionContext.Builder()
            .withGroup("holdfast.dev")
            .withVersion("v1alpha1")
            .withKind("ClusterPlacementPolicy")
            .withPlural("clusterplacementpolicies")
            .withNamespaced(false)
            .build();

    /**
     * Creates a policy that enforces the pod rules of every pod, and returns it. Its forgiveness is longer than the
     * bench, so the operator does the work of mode Enforce but evicts nothing.
     */
    static BenchPolicy create(KubernetesClient client) {
        return create(client, "bench", "{}", "forgivenessSeconds: 86400");
    }

    /**
     * Creates a policy that enforces a rule that no node satisfies, after a minute, and returns it. So violations are
     * due all the time, and the operator decides about each that no node takes its pod.
     *
     * @param podSelector the policy's pod selector, as YAML
     */
    static BenchPolicy impossible(KubernetesClient client, String podSelector) {
        return create(client, "impossible", podSelector, """
            forgivenessSeconds: 60
              podRuleSelection: None
              rules:
              - name: on-tape
                nodeAffinity:
                  required: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [tape]}]}]}
            """);
    }

    private static BenchPolicy create(KubernetesClient client, String name, String podSelector, String rest) {
        String yaml = """
            apiVersion: holdfast.dev/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: %s}
            spec:
              mode: Enforce
              podSelector: %s
              namespaceSelector: %s
              limits: {minReplicas: 0}
              %s
            """.formatted(name, podSelector, FilledCluster.namespaces(), rest);
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .create();
        return new BenchPolicy(client, name);
    }

    /** Deletes the policy together with its status. */
    void delete() {
        client.genericKubernetesResources(KIND).withName(name).delete();
    }

    /**
     * {@return a number of pods from the policy's status; -1 if the status has no number yet}
     *
     * @param which which pods: {@code selected}, {@code violating} or {@code due}
     */
    int count(String which) {
        return Optional.ofNullable(
                        client.genericKubernetesResources(KIND).withName(name).get())
                .map((GenericKubernetesResource policy) -> policy.<Object>get("status", "pods", which))
                .map(value -> value instanceof Number number ? number.intValue() : -1)
                .orElse(-1);
    }
}
