package dev.holdfast.operator.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;

/**
 * Writes the statuses of policies and pauses. The Operator SDK would keep the response to each write until the watch
 * shows the write, and a response has the whole object, of a megabyte or more.
 */
final class StatusWriter implements AutoCloseable {
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("holdfast")
            .withForce(true)
            .build();

    private final KubernetesClient client;

    /** @param client a client that skips the spec in responses; closed with this writer */
    StatusWriter(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Writes the status that a reconciliation wants to write, if any, and returns what else it wants: when to reconcile
     * again.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server cannot be reached or refuses
     */
    <R extends HasMetadata> UpdateControl<R> carryOut(UpdateControl<R> wanted) {
        if (wanted.isPatchStatus()) {
            wanted.getResource()
                    .ifPresent(status ->
                            client.resource(status).subresource("status").patch(APPLY));
        }
        UpdateControl<R> rest = UpdateControl.noUpdate();
        wanted.getScheduleDelay().map(Duration::ofMillis).ifPresent(rest::rescheduleAfter);
        return rest;
    }

    @Override
    public void close() {
        client.close();
    }
}
