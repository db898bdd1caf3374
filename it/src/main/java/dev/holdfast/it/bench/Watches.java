package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.BareWatch;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;

/** Opens bare watches on a site. */
final class Watches {
    private static final ListOptions ONE =
            new ListOptionsBuilder().withLimit(1L).build();

    private Watches() {}

    /**
     * {@return a watch from now on}
     *
     * @param resource {@code pods} or {@code nodes}
     */
    static BareWatch open(Site site, String resource) throws IOException, InterruptedException {
        return BareWatch.open(
                site.controlPlane().config(), "/api/v1/" + resource, version(site.client(), resource), site.clock());
    }

    private static String version(KubernetesClient client, String resource) {
        return switch (resource) {
            case "pods" ->
                client.pods().inAnyNamespace().list(ONE).getMetadata().getResourceVersion();
            case "nodes" -> client.nodes().list(ONE).getMetadata().getResourceVersion();
            default -> throw new IllegalArgumentException("no watch of " + resource);
        };
    }
}
