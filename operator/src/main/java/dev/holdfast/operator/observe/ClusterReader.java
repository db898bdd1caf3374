package dev.holdfast.operator.observe;

import dev.holdfast.policies.engine.Effect;
import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Optional;

/** Consistent reads of single objects, past every cache. Its facts are those that the feed would give. */
public final class ClusterReader implements AutoCloseable {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

    private final KubernetesClient client;
    private final CoreFacts facts = new CoreFacts();

    /** A reader of the cluster that this reaches. */
    public ClusterReader(Config connection) {
        this.client = SlimClient.of(connection, REQUEST_TIMEOUT);
    }

    /** {@return what stands at the API server now: Confirmed, or ConfirmFailed with what went wrong} */
    public Event confirm(Effect.Confirm asked) {
        try {
            return new Event.Confirmed(
                    asked.planId(),
                    pod(asked.pod()),
                    Optional.ofNullable(client.resources(SlimNode.class)
                                    .withName(asked.node())
                                    .get())
                            .map(facts::node),
                    asked.partners().stream()
                            .map(this::pod)
                            .flatMap(Optional::stream)
                            .toList());
        } catch (RuntimeException e) {
            return new Event.ConfirmFailed(asked.planId(), reason(e), Trouble.of("get", "pods and nodes", e));
        }
    }

    private Optional<Pod> pod(NamespacedName name) {
        // A get without a resourceVersion is answered from the newest state, and with null where there is nothing.
        return Optional.ofNullable(client.resources(SlimPod.class)
                        .inNamespace(name.namespace())
                        .withName(name.name())
                        .get())
                .map(facts::pod);
    }

    private static Reason reason(RuntimeException failure) {
        int code = failure instanceof KubernetesClientException refused ? refused.getCode() : 0;
        return switch (code) {
            case 403 -> Reason.FORBIDDEN;
            case 429 -> Reason.THROTTLED;
            default -> Reason.API_ERROR;
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
