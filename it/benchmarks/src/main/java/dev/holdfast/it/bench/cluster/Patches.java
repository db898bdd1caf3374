package dev.holdfast.it.bench.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** Sender of JSON merge patches to the API server. */
public record Patches(KubernetesClient client) {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    /** Sends a JSON merge patch for an object, and returns the object's resource version after it. */
    String commit(PlannedChange.Target target, String patch) {
        return switch (target) {
            case PlannedChange.Target.OfNode(String name) ->
                client.nodes().withName(name).patch(MERGE, patch).getMetadata().getResourceVersion();
            case PlannedChange.Target.OfPod(String namespace, String name) ->
                client.pods()
                        .inNamespace(namespace)
                        .withName(name)
                        .patch(MERGE, patch)
                        .getMetadata()
                        .getResourceVersion();
        };
    }
}
