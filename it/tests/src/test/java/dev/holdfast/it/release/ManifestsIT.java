package dev.holdfast.it.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifests of the release on a control plane of their own, since they have the CRDs of all tests. */
class ManifestsIT {
    private final ControlPlane controlPlane = ControlPlane.start();
    private final KubernetesClient admin =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final Kubectl kubectl = new Kubectl(controlPlane);

    @AfterEach
    void close() {
        admin.close();
        controlPlane.close();
    }

    @ParameterizedTest
    @CsvSource({"install.yaml, yes", "install-observe-only.yaml, no"})
    void kubectlAppliesThemTwiceAndDeletesThem(String name, String mayEvict) throws IOException {
        Path file = Path.of("../../charts/target", name).toAbsolutePath().normalize();
        List<HasMetadata> objects = admin.load(
                        new ByteArrayInputStream(Files.readString(file).getBytes(UTF_8)))
                .items();

        kubectl.run("apply", "--server-side", "-f", file.toString());

        assertThat(objects)
                .hasSizeGreaterThan(20)
                .allSatisfy(object -> assertThat(admin.resource(object).get())
                        .as(object.getKind() + " " + object.getMetadata().getName())
                        .isNotNull());
        // A role is in effect some time after its creation.
        await().atMost(TimeLimits.STATE)
                .untilAsserted(() -> assertThat(kubectl.answer(
                                        "",
                                        "auth",
                                        "can-i",
                                        "create",
                                        "pods",
                                        "--subresource=eviction",
                                        "-A",
                                        "--as=system:serviceaccount:holdfast:holdfast")
                                .text())
                        .isEqualToIgnoringNewLines(mayEvict));
        // The controller manager makes pods of the Deployment: its namespace and its account are there.
        await().atMost(TimeLimits.STATE)
                .until(() ->
                        !admin.pods().inNamespace("holdfast").list().getItems().isEmpty());

        assertThat(kubectl.run("apply", "--server-side", "-f", file.toString()))
                .contains("namespace/holdfast serverside-applied");

        storagesAnswer(objects);
        kubectl.run(
                "delete",
                "--ignore-not-found",
                "--timeout=" + TimeLimits.STATE.toSeconds() + "s",
                "-f",
                file.toString());

        await().atMost(TimeLimits.STATE)
                .untilAsserted(() -> assertThat(objects)
                        .allSatisfy(object -> assertThat(admin.resource(object).get())
                                .as(object.getKind() + " "
                                        + object.getMetadata().getName())
                                .isNull()));
    }

    /**
     * Waits until the API server lists the custom resources. It ends the deletion of a CRD only five minutes later if
     * the storage of the CRD was still starting: a failed try is repeated at once, then meets a conflict with its own
     * status, and is repeated by the next resync alone.
     */
    private void storagesAnswer(List<HasMetadata> objects) {
        for (HasMetadata object : objects) {
            if (object instanceof CustomResourceDefinition crd) {
                ResourceDefinitionContext context = CustomResourceDefinitionContext.fromCrd(crd);
                await().atMost(TimeLimits.STATE)
                        .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                        .until(() -> admin.genericKubernetesResources(context)
                                .inAnyNamespace()
                                .list()
                                .getItems()
                                .isEmpty());
            }
        }
    }
}
