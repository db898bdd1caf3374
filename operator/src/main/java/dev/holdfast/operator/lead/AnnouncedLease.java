package dev.holdfast.operator.lead;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.config.LeaseSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/**
 * The lease of the operator that a Helm release installed in the cluster. The chart announces it as an annotation of a
 * CRD, which every operator finds. Two operators with different leases would both act.
 */
public final class AnnouncedLease {
    /** The annotation, for example {@code holdfast.dev/lease: kube-system/holdfast}. */
    public static final String ANNOTATION = "holdfast.dev/lease";

    private static final String CRD = "placementpolicies.holdfast.dev";
    private static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + CRD;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private static final ObjectMapper JSON = new ObjectMapper();

    private AnnouncedLease() {}

    /**
     * {@return why an operator with these settings must not start: another lease is announced, or the announcement cannot
     * be read; empty if it may start} An operator that may not read the CRD starts.
     */
    public static Optional<String> refusal(KubernetesClient client, LeaseSettings own) {
        String configured = own.namespace() + "/" + own.name();
        try {
            return announced(client)
                    .filter(lease -> !lease.equals(configured))
                    .map(lease -> "the operator of this cluster uses the lease " + lease + " (annotation " + ANNOTATION
                            + " of CRD " + CRD + "), and this one is configured with " + configured
                            + ", so that both would act: set lease.namespace in the configuration to "
                            + lease.replaceFirst("/.*", ""));
        } catch (KubernetesClientException | JsonProcessingException e) {
            return Optional.of(
                    "cannot read CRD " + CRD + ", which may announce the lease of another operator: " + e.getMessage());
        }
    }

    private static Optional<String> announced(KubernetesClient client) throws JsonProcessingException {
        try {
            String crd = client.raw(PATH);
            return Optional.ofNullable(crd == null ? null : JSON.readTree(crd))
                    .map(json -> json.path("metadata")
                            .path("annotations")
                            .path(ANNOTATION)
                            .asText(""))
                    .filter(lease -> !lease.isEmpty());
        } catch (KubernetesClientException e) {
            if (e.getCode() == FORBIDDEN || e.getCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
