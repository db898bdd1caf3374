package dev.holdfast.operator.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server whether it serves MutatingAdmissionPolicies in v1, as Kubernetes does since 1.36. Discovery needs
 * no right but to be authenticated. The API server is asked at the start and then every ten minutes, because an upgrade
 * of the control plane does not restart the operator.
 */
public final class AdmissionDiscovery implements AutoCloseable {
    /** The path that lists the resources of the API group. */
    static final String PATH = "/apis/admissionregistration.k8s.io/v1";

    private static final Logger LOG = LoggerFactory.getLogger(AdmissionDiscovery.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NOT_FOUND = 404;
    private static final Duration AFTER_ANSWER = Duration.ofMinutes(10);
    private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);
    private static final RequestConfig ONCE = new RequestConfigBuilder()
            .withRequestRetryBackoffLimit(0)
            .withRequestTimeout((int) Duration.ofSeconds(5).toMillis())
            .build();

    private final KubernetesClient client;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile InjectionSupport support = InjectionSupport.UNKNOWN;

    /** @param onDeath called if the asking thread dies: the process should end with an error */
    public AdmissionDiscovery(KubernetesClient client, Thread.UncaughtExceptionHandler onDeath) {
        this.client = client;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("admission-discovery")
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::run);
    }

    /** Starts to ask. Returns at once. */
    public void start() {
        thread.start();
    }

    /**
     * {@return INSTALLED if the API server serves MutatingAdmissionPolicies, else NOT_SERVED; UNKNOWN before its first
     * answer} While the API server does not answer, its last answer stays.
     */
    public InjectionSupport support() {
        return support;
    }

    private void run() {
        try {
            Optional<InjectionSupport> answer = ask();
            answer.ifPresent(it -> support = it);
            while (!closed.await((answer.isPresent() ? AFTER_ANSWER : AFTER_FAILURE).toSeconds(), TimeUnit.SECONDS)) {
                answer = ask();
                answer.ifPresent(it -> support = it);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return the answer of the API server; empty if it gives none that can be read} */
    Optional<InjectionSupport> ask() {
        try {
            String answer = client.adapt(NamespacedKubernetesClient.class)
                    .withRequestConfig(ONCE)
                    .call(api -> api.raw(PATH, "GET", null));
            return read(answer == null ? "" : answer);
        } catch (KubernetesClientException e) {
            if (e.getCode() == NOT_FOUND && ApiErrorText.isOfServer(e)) {
                return Optional.of(InjectionSupport.NOT_SERVED);
            }
            LOG.atDebug()
                    .addKeyValue("error", ApiErrorText.of("get", PATH, e))
                    .log("Failed to ask which admission policies the API server serves; asking again in a minute");
            return Optional.empty();
        }
    }

    /** {@return what a list of resources says; empty if it cannot be read, such as the page of a proxy} */
    static Optional<InjectionSupport> read(String answer) {
        JsonNode list = tree(answer);
        if (!list.path("kind").asText().equals("APIResourceList")) {
            return Optional.empty();
        }
        return Optional.of(
                list.path("resources")
                                .valueStream()
                                .anyMatch(it -> it.path("name").asText().equals("mutatingadmissionpolicies"))
                        ? InjectionSupport.INSTALLED
                        : InjectionSupport.NOT_SERVED);
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException _) {
            return JSON.createObjectNode();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
