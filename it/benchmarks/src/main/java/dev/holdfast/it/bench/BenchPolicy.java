package dev.holdfast.it.bench;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The ClusterPlacementPolicy of a bench: it enforces the pod rules of every pod. Its forgiveness is longer than the
 * bench, so the operator does the work of mode Enforce but evicts nothing.
 */
record BenchPolicy(KubernetesClient client) {
    private static final String NAME = "bench";

    private static final ResourceDefinitionContext KIND = new ResourceDefinitionContext.Builder()
            .withGroup("holdfast.dev")
            .withVersion("v1alpha1")
            .withKind("ClusterPlacementPolicy")
            .withPlural("clusterplacementpolicies")
            .withNamespaced(false)
            .build();

    /**
     * Creates the policy in the cluster and returns it.
     *
     * @param namespaceSelector the policy's namespace selector, as YAML
     */
    static BenchPolicy create(KubernetesClient client, String namespaceSelector) {
        String yaml = """
            apiVersion: holdfast.dev/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: %s}
            spec:
              mode: Enforce
              podSelector: {}
              limits: {minReplicas: 0}
              namespaceSelector: %s
              forgivenessSeconds: 86400
            """.formatted(NAME, namespaceSelector);
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .create();
        return new BenchPolicy(client);
    }

    /** Deletes the policy together with its status. */
    void delete() {
        client.genericKubernetesResources(KIND).withName(NAME).delete();
    }

    /** {@return how many pods the policy selects, from its status; -1 if the status has no number yet} */
    int selected() {
        return count("selected");
    }

    /** {@return how many of the selected pods violate a rule, from the policy's status; -1 if it has no number yet} */
    int violating() {
        return count("violating");
    }

    private int count(String what) {
        return Optional.ofNullable(
                        client.genericKubernetesResources(KIND).withName(NAME).get())
                .map((GenericKubernetesResource policy) -> policy.<Object>get("status", "pods", what))
                .map(value -> value instanceof Number number ? number.intValue() : -1)
                .orElse(-1);
    }
}
