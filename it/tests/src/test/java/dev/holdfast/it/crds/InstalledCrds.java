package dev.holdfast.it.crds;

import static org.awaitility.Awaitility.await;

import dev.holdfast.crds.CrdFile;
import dev.holdfast.it.controlplane.TimeLimits;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Installer of this build's CRDs on a cluster. */
public final class InstalledCrds {
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("holdfast-it")
            .withForce(true)
            .build();

    private InstalledCrds() {}

    /** Creates or replaces the CRDs, and waits until the API server serves their kinds. */
    public static void install(KubernetesClient client) {
        CrdFile.all()
                .forEach(file -> client.resource(client.getKubernetesSerialization()
                                .unmarshal(file.yaml(), CustomResourceDefinition.class))
                        .patch(APPLY));
        await().atMost(TimeLimits.STATE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> CrdFile.all().stream().allMatch(file -> isServed(client, file)));
    }

    private static boolean isServed(KubernetesClient client, CrdFile file) {
        CustomResourceDefinition crd = client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(file.name())
                .require();
        // The status is written a moment after the CRD.
        return Optional.ofNullable(crd.getStatus())
                        .flatMap(status -> Optional.ofNullable(status.getConditions()))
                        .orElse(List.of())
                        .stream()
                        .anyMatch(it -> it.getType().equals("Established")
                                && it.getStatus().equals("True"))
                && client.getApiResources("holdfast.dev/v1alpha1") != null
                && client.getApiResources("holdfast.dev/v1alpha1").getResources().stream()
                        .anyMatch(it -> file.name().equals(it.getName() + ".holdfast.dev"));
    }
}
