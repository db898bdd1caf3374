package dev.holdfast.it.bench;

import dev.holdfast.it.bench.connection.ServedPort.Scheme;
import dev.holdfast.it.controlplane.AccountToken;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import java.io.UncheckedIOException;

/**
 * A client that may read the operator's metrics.
 *
 * @param token its bearer token; not sent if metrics are served by plain HTTP
 */
record MetricsReader(Scheme scheme, String token) {
    private static final String NAME = "reader";

    /** Creates a ServiceAccount that may read metrics, and returns it as a client. */
    static MetricsReader create(BenchEnvironment environment, Scheme scheme) {
        String namespace = environment.chart().namespace();
        environment
                .client()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
        environment
                .client()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", namespace + "-metrics-reader")
                        .addNewSubject("", "ServiceAccount", NAME, namespace)
                        .build())
                .create();
        return new MetricsReader(scheme, AccountToken.request(environment.client(), namespace, NAME));
    }

    /** {@return whether a scrape of the metrics succeeded} */
    boolean reads(OperatorProcess operator) {
        try {
            return switch (scheme) {
                case HTTP -> operator.metrics().contains("\nholdfast_");
                case HTTPS -> operator.unverifiedMetrics(token).startsWith("200 ");
            };
        } catch (UncheckedIOException | IllegalStateException _) {
            return false;
        }
    }
}
