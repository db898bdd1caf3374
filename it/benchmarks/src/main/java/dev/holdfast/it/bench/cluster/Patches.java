package dev.holdfast.it.bench.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** Sends merge patches to the API server. */
public record Patches(KubernetesClient client) {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    /** {@return the resource version of the object after the merge patch} */
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
