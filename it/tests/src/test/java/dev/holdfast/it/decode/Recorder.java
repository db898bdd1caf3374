package dev.holdfast.it.decode;

import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.controlplane.TimeLimits;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Recorder of API server answers, byte for byte, about the objects of {@code golden.yaml} on a control plane without
 * controllers.
 */
final class Recorder implements AutoCloseable {
    static final String JSON = "application/json";
    static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final String NAMESPACE = "golden";
    private final ControlPlane controlPlane = ControlPlane.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final HttpClient http = client.getHttpClient();
    private final KubernetesSerialization serialization = new KubernetesSerialization();

    ControlPlane controlPlane() {
        return controlPlane;
    }

    /** Stops the controllers, which would change the objects, and creates all objects. */
    void makeObjects() throws IOException {
        send("POST", path("Namespace"), JSON, "{\"metadata\":{\"name\":\"" + NAMESPACE + "\"}}");
        Awaitility.await()
                .atMost(TimeLimits.STATE)
                .until(() -> client.serviceAccounts()
                                .inNamespace(NAMESPACE)
                                .withName("default")
                                .get()
                        != null);
        Stream.of(Program.KWOK, Program.KUBE_SCHEDULER, Program.KUBE_CONTROLLER_MANAGER)
                .forEach(controlPlane::stop);
        for (String document : documents()) {
            make(serialization.unmarshal(document, GenericKubernetesResource.class));
        }
    }

    private void make(GenericKubernetesResource object) {
        String name = object.getMetadata().getName();
        String path = path(object.getKind());
        send("POST", path, JSON, serialization.asJson(object));
        Object status = object.getAdditionalProperties().get("status");
        if (status != null) {
            change(path + "/" + name + "/status", serialization.asJson(Map.of("status", status)));
        }
        if (name.startsWith("edited")) {
            change(path + "/" + name, "{\"spec\":{\"minAvailable\":2}}");
        }
        if (name.startsWith("terminating")) {
            send("DELETE", path + "/" + name, JSON, "{}");
        }
    }

    /** {@return the API path of the objects of a kind} */
    static String path(String kind) {
        return switch (kind) {
            case "PriorityClass" -> "/apis/scheduling.k8s.io/v1/priorityclasses";
            case "RuntimeClass" -> "/apis/node.k8s.io/v1/runtimeclasses";
            case "Namespace" -> "/api/v1/namespaces";
            case "Node" -> "/api/v1/nodes";
            case "Pod" -> "/api/v1/namespaces/" + NAMESPACE + "/pods";
            case "ReplicaSet" -> "/apis/apps/v1/namespaces/" + NAMESPACE + "/replicasets";
            case "StatefulSet" -> "/apis/apps/v1/namespaces/" + NAMESPACE + "/statefulsets";
            case "Job" -> "/apis/batch/v1/namespaces/" + NAMESPACE + "/jobs";
            case "PodDisruptionBudget" -> "/apis/policy/v1/namespaces/" + NAMESPACE + "/poddisruptionbudgets";
            case "PersistentVolumeClaim" -> "/api/v1/namespaces/" + NAMESPACE + "/persistentvolumeclaims";
            case "PersistentVolume" -> "/api/v1/persistentvolumes";
            case "StorageClass" -> "/apis/storage.k8s.io/v1/storageclasses";
            case "CSINode" -> "/apis/storage.k8s.io/v1/csinodes";
            case "ResourceQuota" -> "/api/v1/namespaces/" + NAMESPACE + "/resourcequotas";
            case "LimitRange" -> "/api/v1/namespaces/" + NAMESPACE + "/limitranges";
            default -> throw new AssertionError("golden.yaml has a " + kind);
        };
    }

    private static List<String> documents() throws IOException {
        try (InputStream file = Recorder.class.getResourceAsStream("golden.yaml")) {
            return List.of(new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
                    .split("(?m)^---$", -1));
        }
    }

    /** Applies a JSON merge patch to an object. */
    void change(String path, String json) {
        send("PATCH", path, "application/merge-patch+json", json);
    }

    /** Deletes an object that has no finalizers. */
    void delete(String path) {
        send("DELETE", path, JSON, "{\"gracePeriodSeconds\":0}");
    }

    private void send(String method, String path, String contentType, String body) {
        answer(request(path)
                .method(method, contentType, body)
                .header("Accept", JSON)
                .build());
    }

    /** Sends a GET and returns the unchanged body of the answer. */
    byte[] get(String path, String accept) {
        return answer(request(path).header("Accept", accept).build());
    }

    private HttpRequest.Builder request(String path) {
        String master = controlPlane.config().getMasterUrl();
        return http.newHttpRequestBuilder()
                .uri(master.substring(0, master.length() - (master.endsWith("/") ? 1 : 0)) + path)
                .header("Accept-Encoding", "identity");
    }

    private byte[] answer(HttpRequest request) {
        try {
            HttpResponse<byte[]> response =
                    http.sendAsync(request, byte[].class).get(TimeLimits.ANSWER.toSeconds(), TimeUnit.SECONDS);
            if (!response.isSuccessful()) {
                throw new AssertionError(String.format(
                        Locale.ROOT,
                        "%s %s: %d %s",
                        request.method(),
                        request.uri(),
                        response.code(),
                        new String(response.body(), StandardCharsets.UTF_8)));
            }
            return response.body();
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(request.method() + " " + request.uri(), e);
        }
    }

    @Override
    public void close() {
        client.close();
        controlPlane.close();
    }
}
