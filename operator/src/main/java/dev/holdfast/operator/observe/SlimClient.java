package dev.holdfast.operator.observe;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.List;

/** Makes clients to which pods, nodes and the rest are slim, in answers and in watch events alike. */
final class SlimClient {
    private static final List<Class<? extends SlimObject>> KINDS = List.of(
            SlimPod.class,
            SlimNode.class,
            SlimNamespace.class,
            SlimBudget.class,
            SlimOwner.ReplicaSet.class,
            SlimOwner.StatefulSet.class,
            SlimOwner.Job.class);

    private SlimClient() {}

    /** {@return a client of its own that sends each request once, to be closed by the caller} */
    static KubernetesClient of(Config connection, Duration timeout) {
        Config watching = new ConfigBuilder(connection)
                // An ended watch comes back to us at once: only we know what it means for the view.
                .withWatchReconnectLimit(0)
                .build();
        return OneShotClient.watchingBuilder(watching, timeout)
                .withKubernetesSerialization(serialization())
                .build();
    }

    static KubernetesSerialization serialization() {
        ObjectMapper mapper = new ObjectMapper().addMixIn(ObjectMeta.class, WithoutManagedFields.class);
        KubernetesSerialization serialization = new KubernetesSerialization(mapper, false);
        KINDS.forEach(serialization::registerKubernetesResource);
        // The object of an ERROR event; unknown, it would be taken for one of the kind that is watched.
        serialization.registerKubernetesResource(Status.class);
        return serialization;
    }

    @JsonIgnoreProperties("managedFields")
    private interface WithoutManagedFields {}
}
