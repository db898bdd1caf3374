package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Whether the API server serves the policy kinds and that of pauses, and to us. */
public final class InstalledKinds {
    /** What installs them. Server-side, because otherwise kubectl keeps each CRD whole in an annotation of it. */
    public static final String INSTALL = "holdfast crds | kubectl apply --server-side -f -";

    private static final Logger LOG = LoggerFactory.getLogger(InstalledKinds.class);

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private static final RequestConfig ONCE = new RequestConfigBuilder()
            .withRequestRetryBackoffLimit(0)
            .withRequestTimeout((int) Duration.ofSeconds(5).toMillis())
            .build();
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final KubernetesClient client;
    private final Pause pause;

    /** How time is let pass between two questions. */
    interface Pause {
        void last(Duration time) throws InterruptedException;
    }

    /** Asks through a client. */
    public InstalledKinds(KubernetesClient client) {
        this(client, Thread::sleep);
    }

    InstalledKinds(KubernetesClient client, Pause pause) {
        this.client = client;
        this.pause = pause;
    }

    /** What the API server cannot be asked for. The message is one line and says what to do. */
    public static final class MissingException extends Exception {
        private static final long serialVersionUID = 1L;

        MissingException(String message) {
            super(message);
        }
    }

    /**
     * {@return how many policies there are, once both their kinds and that of pauses can be listed} An API server that
     * cannot be reached is waited for.
     *
     * @throws MissingException if a kind is not installed, or may not be listed
     */
    public long await() throws MissingException, InterruptedException {
        Duration time = FIRST_PAUSE;
        String told = "";
        while (true) {
            try {
                long policies = count(PlacementPolicy.class) + count(ClusterPlacementPolicy.class);
                count(EnforcementPause.class);
                return policies;
            } catch (KubernetesClientException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                String why = oneLine(e);
                LOG.atLevel(why.equals(told) ? Level.DEBUG : Level.WARN)
                        .addKeyValue("server", client.getMasterUrl())
                        .addKeyValue("reason", why)
                        .log("Waiting for the API server");
                told = why;
            }
            pause.last(time);
            time = time.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? time.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private <P extends CustomResource<?, ?>> long count(Class<P> kind) throws MissingException {
        try {
            KubernetesResourceList<P> first = client.adapt(NamespacedKubernetesClient.class)
                    .withRequestConfig(ONCE)
                    .call(once -> once.resources(kind)
                            .inAnyNamespace()
                            .list(new ListOptionsBuilder().withLimit(1L).build()));
            Long more = first.getMetadata().getRemainingItemCount();
            return first.getItems().size() + (more == null ? 0 : more);
        } catch (KubernetesClientException e) {
            refuse(kind, e);
            throw e;
        }
    }

    private static void refuse(Class<?> kind, KubernetesClientException e) throws MissingException {
        switch (e.getCode()) {
            case NOT_FOUND ->
                throw new MissingException(
                        kind.getSimpleName() + " CRD is not installed: run `" + INSTALL + "` or install the chart");
            case UNAUTHORIZED ->
                throw new MissingException(
                        "the API server does not know who is asking: renew the credentials of the kubeconfig ("
                                + oneLine(e) + ")");
            case FORBIDDEN ->
                throw new MissingException("may not list " + kind.getSimpleName()
                        + ": give the user of the kubeconfig the chart's ClusterRole (" + oneLine(e) + ")");
            default -> {
                // Everything else may pass by itself.
            }
        }
    }

    private static String oneLine(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return message.lines().findFirst().orElse("").strip();
    }
}
