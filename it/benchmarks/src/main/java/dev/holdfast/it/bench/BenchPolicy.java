package dev.holdfast.it.bench;

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

    private static final String IMPOSSIBLE = """
          forgivenessSeconds: 60
          podRuleSelection: None
          rules:
          - name: on-tape
            nodeAffinity:
              required: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [tape]}]}]}
        """;

    /**
     * Creates a policy that enforces the pod rules of every pod, and returns it. Its forgiveness is longer than the
     * bench, so the operator does the work of mode Enforce but evicts nothing.
     *
     * @param namespaceSelector the policy's namespace selector, as YAML
     */
    static BenchPolicy create(KubernetesClient client, String namespaceSelector) {
        return create(client, "bench", "{}", namespaceSelector, """
              forgivenessSeconds: 86400
            """);
    }

    /** Creates a policy that enforces a rule that no node satisfies, after a minute, and returns it. */
    static BenchPolicy impossible(KubernetesClient client, String namespaceSelector) {
        return create(client, "impossible", "{}", namespaceSelector, IMPOSSIBLE);
    }

    /**
     * Creates the policy {@link #impossible} for these pods only, and returns it. So a few violations are due all the
     * time, and the operator decides about each that no node takes its pod.
     *
     * @param podSelector the policy's pod selector, as YAML
     */
    static BenchPolicy due(KubernetesClient client, String podSelector, String namespaceSelector) {
        return create(client, "due", podSelector, namespaceSelector, IMPOSSIBLE);
    }

    private static BenchPolicy create(
            KubernetesClient client, String name, String podSelector, String namespaceSelector, String rest) {
        String yaml = """
            apiVersion: holdfast.dev/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: %s}
            spec:
              mode: Enforce
              podSelector: %s
              limits: {minReplicas: 0}
              namespaceSelector: %s
            """.formatted(name, podSelector, namespaceSelector) + rest;
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .create();
        return new BenchPolicy(client, name);
    }

    /** Deletes the policy together with its status. */
    void delete() {
        client.genericKubernetesResources(KIND).withName(name).delete();
    }

    /** {@return how many pods the policy selects, from its status; -1 if the status has no number yet} */
    int selected() {
        return count("selected");
    }

    /** {@return how many of the selected pods violate a rule, from the policy's status; -1 if it has no number yet} */
    int violating() {
        return count("violating");
    }

    /** {@return how many of the selected pods have a due violation, from the status; -1 if it has no number yet} */
    int due() {
        return count("due");
    }

    private int count(String what) {
        return Optional.ofNullable(
                        client.genericKubernetesResources(KIND).withName(name).get())
                .map((GenericKubernetesResource policy) -> policy.<Object>get("status", "pods", what))
                .map(value -> value instanceof Number number ? number.intValue() : -1)
                .orElse(-1);
    }
}
