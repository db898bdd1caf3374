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
 * Startup check: the API server serves the policy kinds and the pause kind, grants access to them, and is new enough.
 */
public final class InstalledKinds {
    /**
     * The command that installs the CRDs. Server-side, since otherwise kubectl copies each whole CRD into its
     * last-applied annotation.
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
    private final Pause pause;
    private volatile String waitedFor = "it has not answered yet";

    /** Waits between two attempts; replaced in tests. */
    interface Pause {
        void last(Duration time) throws InterruptedException;
    }

    /** A check with this client. */
    public InstalledKinds(KubernetesClient client) {
        this(client, Thread::sleep);
    }

    InstalledKinds(KubernetesClient client, Pause pause) {
        this.client = client;
        this.pause = pause;
    }

    /** The API server does not serve a kind. The message is one line and says what to do. */
    public static final class MissingException extends Exception {
        private static final long serialVersionUID = 1L;

        MissingException(Class<?> kind) {
            super(kind.getSimpleName() + " CRD is not installed: run `" + INSTALL + "` or install the chart");
        }
    }

    /**
     * {@return the number of policies, once both policy kinds and the pause kind can be listed} Logs each other problem
     * once and waits until it is fixed: an unreachable API server, expired credentials, a missing right, a proxy that
     * answers instead of the API server, a cluster that is too old.
     *
     * @throws MissingException if a kind is not installed
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
            pause.last(time);
            time = time.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? time.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /** {@return in one line what {@link #await} waits for; may be called from any thread} */
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
                say(ApiErrorText.of("list", HasMetadata.getFullResourceName(kind), e));
            }
            throw e;
        }
    }

    /** An API server that does not show its version counts as supported. */
    private void requireSupportedVersion() {
        Optional<String> refusal = SupportedKubernetes.refusal(version());
        refusal.ifPresent(why -> {
            say(why);
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
                say(ApiErrorText.of("get", "/version", e));
            }
            throw e;
        }
    }

    /** Whether an API server answers. For an unknown kind it returns a plain 404, as any web server does. */
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

    private void say(String why) {
        LOG.atLevel(why.equals(waitedFor) ? Level.DEBUG : Level.WARN)
                .addKeyValue("server", client.getMasterUrl())
                .addKeyValue("reason", why)
                .log("Waiting for the API server");
        waitedFor = why;
    }
}
