package dev.holdfast.operator.lead;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.config.LeaseSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;
import java.util.Optional;

/**
 * The lease of the operator that a Helm release installed in the cluster. The chart announces this lease as an
 * annotation of a CRD, which every operator finds. Two operators with different leases would both act.
 *
 * @param own the lease of this operator
 */
public record AnnouncedLease(KubernetesClient client, LeaseSettings own) {
    /** The annotation, for example {@code holdfast.dev/lease: kube-system/holdfast}. */
    public static final String ANNOTATION = "holdfast.dev/lease";

    private static final String CRD = "placementpolicies.holdfast.dev";
    private static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + CRD;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The answer to a read of the CRD. */
    private sealed interface Answer {
        /** No lease is announced. */
        record None() implements Answer {}

        /** A lease is announced, as {@code namespace/name}. */
        record Announced(String lease) implements Answer {}

        /** This operator may not read the CRD. */
        record Forbidden() implements Answer {}

        /** The answer is not a CRD. */
        record Unreadable(String message) implements Answer {}
    }

    /**
     * {@return why this operator must not start: another lease is announced, or the announcement cannot be read; empty
     * if it may start} An operator that may not read the CRD starts, but must not evict.
     */
    public Optional<String> refusesStart() {
        try {
            return switch (read()) {
                case Answer.None(), Answer.Forbidden() -> Optional.empty();
                case Answer.Announced(String lease) -> another(lease);
                case Answer.Unreadable(String message) -> Optional.of(unreadable(message));
            };
        } catch (KubernetesClientException e) {
            return Optional.of(unreadable(String.valueOf(e.getMessage())));
        }
    }

    /**
     * {@return why this operator must not evict: another lease is announced, or whether one is cannot be known; empty
     * if it may evict}
     *
     * @throws KubernetesClientException if the API server does not answer
     */
    public Optional<String> refusesEvictions() {
        return switch (read()) {
            case Answer.None() -> Optional.empty();
            case Answer.Announced(String lease) -> another(lease);
            case Answer.Forbidden() ->
                Optional.of(
                        "the right to get customresourcedefinitions/" + CRD + " is missing, so that another operator"
                                + " may evict in this cluster: grant the right, as the chart's ClusterRole does");
            case Answer.Unreadable(String message) -> Optional.of(unreadable(message));
        };
    }

    private Optional<String> another(String lease) {
        String configured = own.namespace() + "/" + own.name();
        return lease.equals(configured)
                ? Optional.empty()
                : Optional.of("the operator of this cluster uses the lease " + lease + " (annotation " + ANNOTATION
                        + " of CRD " + CRD + "), and this one is configured with " + configured
                        + ", so that both would act: set lease.namespace in the configuration to "
                        + lease.replaceFirst("/.*", ""));
    }

    private static String unreadable(String message) {
        return "cannot read CRD " + CRD + ", which may announce the lease of another operator: " + message;
    }

    private Answer read() {
        try {
            String lease = JSON.readTree(Objects.requireNonNullElse(client.raw(PATH), ""))
                    .path("metadata")
                    .path("annotations")
                    .path(ANNOTATION)
                    .asText("");
            return lease.isEmpty() ? new Answer.None() : new Answer.Announced(lease);
        } catch (JsonProcessingException e) {
            return new Answer.Unreadable(String.valueOf(e.getMessage()));
        } catch (KubernetesClientException e) {
            return switch (e.getCode()) {
                case FORBIDDEN -> new Answer.Forbidden();
                case NOT_FOUND -> new Answer.None();
                default -> throw e;
            };
        }
    }
}
