package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.api.ApiErrorText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Startup check: the API server serves the CRDs of Holdfast, the operator may list their objects, and the Kubernetes
 * version is supported.
 */
public final class InstalledKinds {
    /**
     * The command that installs the CRDs. The CRDs are applied server-side, because a client-side apply copies the
     * whole CRD into an annotation.
     */
    public static final String INSTALL = "holdfast crds | kubectl apply --server-side -f -";

    private static final Logger LOG = LoggerFactory.getLogger(InstalledKinds.class);

    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private static final RequestConfig ONCE = new RequestConfigBuilder()
            .withRequestRetryBackoffLimit(0)
            .withRequestTimeout((int) Duration.ofSeconds(5).toMillis())
            .build();
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final KubernetesClient client;
    private final Sleeper sleeper;
    private volatile String waitedFor = "it has not answered yet";

    /** The wait between two attempts; tests replace it. */
    interface Sleeper {
        void last(Duration time) throws InterruptedException;
    }

    /** Creates a check that sends its requests with this client. */
    public InstalledKinds(KubernetesClient client) {
        this(client, Thread::sleep);
    }

    InstalledKinds(KubernetesClient client, Sleeper sleeper) {
        this.client = client;
        this.sleeper = sleeper;
    }

    /** The exception for a CRD that is not installed. The message is one line and says what to do. */
    public static final class MissingException extends Exception {
        private static final long serialVersionUID = 1L;

        MissingException(Class<?> kind) {
            super(kind.getSimpleName() + " CRD is not installed: run `" + INSTALL + "` or install the chart");
        }
    }

    /**
     * Waits until both policy kinds and the pause kind can be listed and the Kubernetes version is supported. Returns
     * the number of policies in the cluster. A missing CRD ends the wait with an exception. After any other problem,
     * the method tries again: an unreachable API server, expired credentials, missing RBAC permissions, a proxy that
     * answers instead of the API server, or a Kubernetes version that is too old. A warning is logged only if the
     * problem differs from the previous one.
     *
     * @throws MissingException if the CRD of a kind is not installed
     */
    public long await() throws MissingException, InterruptedException {
        Duration time = FIRST_PAUSE;
        while (true) {
            try {
                long policies = count(PlacementPolicy.class) + count(ClusterPlacementPolicy.class);
                count(EnforcementPause.class);
                requireSupportedVersion();
                return policies;
            } catch (KubernetesClientException _) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            sleeper.last(time);
            time = time.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? time.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /** {@return the last problem that {@link #await} met, in one line} Thread-safe. */
    public String waitedFor() {
        return waitedFor;
    }

    private <P extends CustomResource<?, ?>> long count(Class<P> kind) throws MissingException {
        try {
            KubernetesResourceList<P> first = once(client -> client.resources(kind)
                    .inAnyNamespace()
                    .list(new ListOptionsBuilder().withLimit(1L).build()));
            if (first.getMetadata() == null) {
                throw new KubernetesClientException("the answer is not a list");
            }
            Long more = first.getMetadata().getRemainingItemCount();
            return first.getItems().size() + (more == null ? 0 : more);
        } catch (KubernetesClientException e) {
            if (e.getCode() == NOT_FOUND && answersAsAnApiServer()) {
                throw new MissingException(kind);
            }
            if (!Thread.currentThread().isInterrupted()) {
                logOnce(ApiErrorText.of("list", HasMetadata.getFullResourceName(kind), e));
            }
            throw e;
        }
    }

    /** Throws if the Kubernetes version is too old. An API server that hides its version passes. */
    private void requireSupportedVersion() {
        Optional<String> refusal = SupportedKubernetes.refusal(version());
        refusal.ifPresent(why -> {
            logOnce(why);
            throw new KubernetesClientException(why);
        });
    }

    private String version() {
        try {
            return once(client -> Objects.requireNonNullElse(client.raw("/version"), ""));
        } catch (KubernetesClientException e) {
            if (e.getCode() == FORBIDDEN || e.getCode() == NOT_FOUND) {
                return "";
            }
            if (!Thread.currentThread().isInterrupted()) {
                logOnce(ApiErrorText.of("get", "/version", e));
            }
            throw e;
        }
    }

    /** {@return whether the server is an API server} A 404 for a kind may also come from any other web server. */
    private boolean answersAsAnApiServer() {
        try {
            return once(KubernetesClient::getKubernetesVersion).getMajor() != null;
        } catch (KubernetesClientException e) {
            return e.getCode() == FORBIDDEN && ApiErrorText.isOfServer(e);
        }
    }

    private <T> T once(Function<KubernetesClient, @Nullable T> question) {
        T answer = client.adapt(NamespacedKubernetesClient.class)
                .withRequestConfig(ONCE)
                .call(question::apply);
        if (answer == null) {
            throw new KubernetesClientException("the answer is empty");
        }
        return answer;
    }

    private void logOnce(String why) {
        LOG.atLevel(why.equals(waitedFor) ? Level.DEBUG : Level.WARN)
                .addKeyValue("server", client.getMasterUrl())
                .addKeyValue("reason", why)
                .log("Waiting for the API server");
        waitedFor = why;
    }
}
