package dev.holdfast.it.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.FreePorts;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image's operator, started as in the chart's pod: with its arguments, configuration and token at the same paths.
 * The test shows that the runtime in the image contains everything that the operator needs.
 */
@ExtendWith(SharedControlPlane.class)
class ImageInClusterIT {
    private static final String RELEASE = "holdfast-image";
    private static final String SECRETS = "var/run/secrets/kubernetes.io/serviceaccount/";

    @TempDir
    private Path folder;

    private final ControlPlane controlPlane;
    private final int port;
    private final int metricsPort;

    ImageInClusterIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        List<Integer> ports = FreePorts.find(2);
        this.port = ports.get(0);
        this.metricsPort = ports.get(1);
    }

    @Test
    void asAPodItReadsTheClusterAndReportsOnAPolicy() throws IOException {
        InstalledChart chart = InstalledChart.installWithOwnLease(
                controlPlane,
                RELEASE,
                "config.http.port=" + port,
                "config.metrics.port=" + metricsPort,
                "extraArgs[0]=--http-address=127.0.0.1");
        Path log = folder.resolve("operator.log");
        try (KubernetesClient admin = clientOf(controlPlane.config())) {
            Process operator = image(chart).begin(arguments(admin), whereTheServerIs(), log);
            try {
                await("the image's operator is ready")
                        .atMost(TimeLimits.STATE)
                        .failFast(
                                "the operator lives",
                                () -> assertThat(operator.isAlive())
                                        .as(Files.readString(log))
                                        .isTrue())
                        .until(() -> answer(port, "/readyz").startsWith("ok"));
                GenericKubernetesResource policy = admin.resource(policy()).create();
                await("the policy is evaluated")
                        .atMost(TimeLimits.STATE)
                        .until(() -> "Audit".equals(admin.resource(policy).get().get("status", "effective", "mode")));
                assertThat(answer(metricsPort, "/metrics")).contains("holdfast_build_info");
                admin.resource(policy).delete();
            } finally {
                end(operator);
            }
        } finally {
            chart.uninstall();
        }
    }

    /** Ends the process that started the image, and checks that the operator in the image has ended too. */
    private static void end(Process started) {
        List<ProcessHandle> inside = started.descendants().toList();
        started.destroyForcibly();
        await("the image's operator has ended")
                .atMost(TimeLimits.STATE)
                .until(() -> inside.stream().noneMatch(ProcessHandle::isAlive));
    }

    private UnpackedImage image(InstalledChart chart) throws IOException {
        UnpackedImage image = UnpackedImage.of(ImageIT.TAR, folder);
        image.mount("etc/holdfast/config.yaml", chart.config());
        image.mount(SECRETS + "token", chart.token());
        image.mount(SECRETS + "namespace", chart.namespace());
        image.mount(
                SECRETS + "ca.crt",
                new String(
                        Base64.getDecoder().decode(controlPlane.config().getCaCertData()), StandardCharsets.US_ASCII));
        return image;
    }

    private static List<String> arguments(KubernetesClient admin) {
        return admin.apps()
                .deployments()
                .inNamespace(RELEASE)
                .withName(RELEASE)
                .require()
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getArgs();
    }

    private Map<String, String> whereTheServerIs() {
        URI server = URI.create(controlPlane.config().getMasterUrl());
        return Map.of(
                "KUBERNETES_SERVICE_HOST",
                server.getHost(),
                "KUBERNETES_SERVICE_PORT",
                String.valueOf(server.getPort()));
    }

    private static GenericKubernetesResource policy() {
        return new GenericKubernetesResourceBuilder()
                .withApiVersion("holdfast.dev/v1alpha1")
                .withKind("ClusterPlacementPolicy")
                .withNewMetadata()
                .withName(RELEASE)
                .endMetadata()
                .addToAdditionalProperties("spec", Map.of())
                .build();
    }

    /** {@return the body of the operator's answer to a GET of this path at a port; empty if it does not answer yet} */
    private static String answer(int port, String path) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .timeout(TimeLimits.ANSWER)
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException _) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static KubernetesClient clientOf(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
