package dev.holdfast.it.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Helm chart on a real control plane. Each test installs a release with its own name. */
@ExtendWith(SharedControlPlane.class)
class InstalledChartIT {
    private final ControlPlane controlPlane;
    private final KubernetesClient admin;
    private final List<InstalledChart> installed = new ArrayList<>();
    private final String release;

    InstalledChartIT(ControlPlane controlPlane, TestInfo test) {
        this.controlPlane = controlPlane;
        this.admin = clientOf(controlPlane.config());
        this.release = "holdfast-"
                + Integer.toHexString(
                        test.getTestMethod().orElseThrow().getName().hashCode());
    }

    @AfterEach
    void uninstall() {
        installed.forEach(InstalledChart::uninstall);
        admin.close();
    }

    @Test
    void everyRenderedObjectIsInTheCluster() {
        InstalledChart chart = install("service.enabled=true");

        assertThat(chart.status().getStatus()).isEqualTo("deployed");
        assertThat(objects(chart.manifest("service.enabled=true")))
                .isNotEmpty()
                .allSatisfy(object -> assertThat(admin.resource(object).get())
                        .as(name(object))
                        .isNotNull());
    }

    @Test
    void byDefaultItMayNotEvictAnywhere() {
        InstalledChart chart = install();

        assertThat(may(chart, "create", "pods/eviction", "", "default")).isFalse();
        assertThat(may(chart, "create", "pods/eviction", "", "kube-system")).isFalse();
        assertThat(may(chart, "create", "pods/eviction", "", chart.namespace())).isFalse();
    }

    @Test
    void enforcementAndNothingElseGivesTheRightToEvict() {
        InstalledChart chart = install("enforcement.enabled=true");
        awaitRight(chart, "create", "pods/eviction", "", "default");

        chart.upgrade();
        assertThat(chart.status().getRevision()).isEqualTo("2");
        await().atMost(TimeLimits.STATE).until(() -> !may(chart, "create", "pods/eviction", "", "default"));
    }

    @Test
    void itMayNeverDeleteOrChangePodsOrReadSecrets() {
        InstalledChart chart = install("enforcement.enabled=true");

        awaitRight(chart, "list", "pods", "", "default");
        for (String verb : List.of("delete", "deletecollection", "patch", "update", "create")) {
            assertThat(may(chart, verb, "pods", "", "default"))
                    .as(verb + " pods")
                    .isFalse();
        }
        assertThat(may(chart, "patch", "nodes", "", "")).isFalse();
        assertThat(may(chart, "get", "secrets", "", chart.namespace())).isFalse();
        assertThat(may(chart, "get", "configmaps", "", chart.namespace())).isFalse();
        assertThat(may(chart, "update", "placementpolicies", "holdfast.dev", "default"))
                .isFalse();
        assertThat(may(chart, "delete", "enforcementpauses", "holdfast.dev", ""))
                .isFalse();
        assertThat(may(chart, "delete", "leases", "coordination.k8s.io", chart.namespace()))
                .isFalse();
        assertThat(may(chart, "create", "leases", "coordination.k8s.io", "default"))
                .isFalse();
    }

    @Test
    void withItsOwnTokenItReadsPodsAndMakesAndHoldsTheLeaseAndIsRefusedTheRest() {
        InstalledChart chart = install();
        awaitRight(chart, "list", "pods", "", "default");
        awaitRight(chart, "create", "leases", "coordination.k8s.io", chart.namespace());
        try (KubernetesClient account = clientOf(ControlPlane.config(chart.kubeconfig()))) {
            account.pods().inAnyNamespace().list();
            account.resource(lease(chart)).create();
            Lease lease = account.leases()
                    .inNamespace(chart.namespace())
                    .withName("holdfast")
                    .require();
            lease.setSpec(new LeaseSpecBuilder().withHolderIdentity("me").build());
            account.resource(lease).update();

            assertThatThrownBy(() -> account.leases().inNamespace("kube-system").list())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("User \"" + chart.user() + "\" cannot list resource \"leases\"");
            assertThatThrownBy(() ->
                            account.secrets().inNamespace(chart.namespace()).list())
                    .hasMessageContaining("cannot list resource \"secrets\"");
        }
    }

    private static Lease lease(InstalledChart chart) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(chart.namespace())
                .withName("holdfast")
                .endMetadata()
                .build();
    }

    @Test
    void anUpgradeLeavesTheHolderOfTheLeaseAlone() {
        InstalledChart chart = install();
        Lease lease = lease(chart);
        lease.setSpec(new LeaseSpecBuilder().withHolderIdentity("me").build());
        admin.resource(lease).create();

        chart.upgrade("config.logLevel=debug");

        assertThat(admin.resource(lease).get().getSpec().getHolderIdentity()).isEqualTo("me");
        assertThat(chart.config()).contains("logLevel: debug\n");
    }

    @Test
    void aNamespaceThatEnforcesTheRestrictedStandardAdmitsThePod() {
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(release)
                        .withLabels(Map.of("pod-security.kubernetes.io/enforce", "restricted"))
                        .endMetadata()
                        .build())
                .create();
        InstalledChart chart = install();

        await().atMost(TimeLimits.STATE)
                .until(() -> !admin.pods()
                        .inNamespace(chart.namespace())
                        .list()
                        .getItems()
                        .isEmpty());
    }

    @Test
    void policiesOutliveTheRelease() {
        InstalledChart chart = install();
        chart.uninstall();
        installed.remove(chart);

        assertThat(admin.apiextensions().v1().customResourceDefinitions().list().getItems())
                .extracting(crd -> crd.getMetadata().getName())
                .contains(
                        "placementpolicies.holdfast.dev",
                        "clusterplacementpolicies.holdfast.dev",
                        "enforcementpauses.holdfast.dev");
        assertThat(admin.apps()
                        .deployments()
                        .inNamespace(chart.namespace())
                        .list()
                        .getItems())
                .isEmpty();
    }

    private InstalledChart install(String... settings) {
        InstalledChart chart = InstalledChart.installWithOwnLease(controlPlane, release, settings);
        installed.add(chart);
        return chart;
    }

    /** Waits for a right that the chart grants: it is in effect some time after its role was created. */
    private void awaitRight(InstalledChart chart, String verb, String resource, String group, String namespace) {
        await().atMost(TimeLimits.STATE).until(() -> may(chart, verb, resource, group, namespace));
    }

    /**
     * {@return whether the chart's ServiceAccount has a right, as {@code kubectl auth can-i} reports it} A subresource
     * follows the resource after a slash.
     */
    private boolean may(InstalledChart chart, String verb, String resource, String group, String namespace) {
        ResourceAttributes request = new ResourceAttributes();
        request.setVerb(verb);
        request.setGroup(group);
        request.setNamespace(namespace);
        int slash = resource.indexOf('/');
        request.setResource(slash < 0 ? resource : resource.substring(0, slash));
        request.setSubresource(slash < 0 ? "" : resource.substring(slash + 1));
        return admin.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(chart.user())
                        .withGroups("system:serviceaccounts", "system:authenticated")
                        .withResourceAttributes(request)
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }

    private List<HasMetadata> objects(String manifest) {
        return admin.load(new ByteArrayInputStream(manifest.getBytes(UTF_8))).items();
    }

    private static String name(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }

    private static KubernetesClient clientOf(Config config) {
        // No retries: some tests expect a refusal.
        Config once = new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build();
        return new KubernetesClientBuilder().withConfig(once).build();
    }
}
