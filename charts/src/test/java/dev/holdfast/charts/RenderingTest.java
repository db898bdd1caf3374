package dev.holdfast.charts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RenderingTest {
    private static final String[] EVERYTHING = {
        "enforcement.enabled=true",
        "service.enabled=true",
        "networkPolicy.enabled=true",
        "commonLabels.team=platform",
        "commonAnnotations.contact=platform",
        "podLabels.tier=control",
        "podAnnotations.note=here",
        "priorityClassName=system-cluster-critical"
    };

    @Test
    void theStrictLinterHasNothingToSay() {
        LintResult lint = new Helm(Chart.FOLDER).lint().strict().call();

        assertThat(lint.getMessages()).isEmpty();
        assertThat(lint.isFailed()).isFalse();
    }

    @Test
    void byDefaultTheseObjectsAreRendered() {
        assertThat(names(Chart.objects()))
                .containsExactlyInAnyOrder(
                        "ServiceAccount hf/holdfast",
                        "ConfigMap hf/holdfast",
                        "ConfigMap hf/holdfast-ledger-0",
                        "ConfigMap hf/holdfast-ledger-1",
                        "ConfigMap hf/holdfast-ledger-2",
                        "ConfigMap hf/holdfast-ledger-3",
                        "ConfigMap hf/holdfast-ledger-4",
                        "ConfigMap hf/holdfast-ledger-5",
                        "ConfigMap hf/holdfast-ledger-6",
                        "ConfigMap hf/holdfast-ledger-7",
                        "CustomResourceDefinition clusterplacementpolicies.holdfast.dev",
                        "CustomResourceDefinition enforcementpauses.holdfast.dev",
                        "CustomResourceDefinition placementpolicies.holdfast.dev",
                        "ClusterRole holdfast",
                        "ClusterRole holdfast-pause",
                        "ClusterRole holdfast-view",
                        "ClusterRoleBinding holdfast",
                        "Role kube-system/holdfast",
                        "RoleBinding kube-system/holdfast",
                        "Role hf/holdfast-ledger",
                        "RoleBinding hf/holdfast-ledger",
                        "Deployment hf/holdfast",
                        "PodDisruptionBudget hf/holdfast",
                        "ValidatingAdmissionPolicy holdfast-cluster-wide-anti-affinity-pods",
                        "ValidatingAdmissionPolicy holdfast-cluster-wide-anti-affinity-workloads",
                        "ValidatingAdmissionPolicy holdfast-cluster-wide-anti-affinity-cronjobs",
                        "ValidatingAdmissionPolicyBinding holdfast-cluster-wide-anti-affinity-pods",
                        "ValidatingAdmissionPolicyBinding holdfast-cluster-wide-anti-affinity-workloads",
                        "ValidatingAdmissionPolicyBinding holdfast-cluster-wide-anti-affinity-cronjobs");
    }

    @Test
    void withEverythingSwitchedOnAServiceAndANetworkPolicyCome() {
        List<String> more = new ArrayList<>(names(Chart.objects(EVERYTHING)));
        more.removeAll(names(Chart.objects()));

        assertThat(more).containsExactlyInAnyOrder("Service hf/holdfast", "NetworkPolicy hf/holdfast");
    }

    @Test
    void renderingTwiceGivesTheSameBytes() {
        assertThat(Chart.render()).isEqualTo(Chart.render());
        assertThat(Chart.render(EVERYTHING)).isEqualTo(Chart.render(EVERYTHING));
    }

    @Test
    void everyObjectCarriesTheCommonLabelsAndAnnotations() {
        assertThat(Chart.objects(EVERYTHING)).allSatisfy(object -> {
            assertThat(object.getMetadata().getLabels())
                    .containsEntry("team", "platform")
                    .containsEntry("app.kubernetes.io/name", "holdfast")
                    .containsEntry("app.kubernetes.io/instance", "holdfast")
                    .containsEntry("app.kubernetes.io/managed-by", "Helm");
            assertThat(object.getMetadata().getAnnotations()).containsEntry("contact", "platform");
        });
    }

    @Test
    void noTemplateAsksTheClusterOrTheClock() throws IOException {
        try (Stream<Path> templates = Files.list(Chart.FOLDER.resolve("templates"))) {
            for (Path template : templates.toList()) {
                assertThat(Files.readString(template))
                        .as(template.toString())
                        .doesNotContain("lookup", "helm.sh/hook", "now", "rand", "genCA", "uuidv4");
            }
        }
    }

    @Test
    void namesAndNamespaceCanBeOverridden() {
        List<HasMetadata> objects = Chart.objects("fullnameOverride=keeper", "namespaceOverride=ops");

        assertThat(names(objects)).contains("Deployment ops/keeper", "ClusterRole keeper-view");
        assertThat(objects)
                .allSatisfy(object ->
                        assertThat(object.getMetadata().getNamespace()).isIn("ops", "kube-system", null));
    }

    /** Commands look for these labels, so they must not follow the names. */
    @ParameterizedTest
    @ValueSource(strings = {"nameOverride=keeper", "fullnameOverride=keeper"})
    void theLabelsOfConfigurationAndLedgerFollowNoName(String override) {
        assertThat(Chart.objects(ConfigMap.class, override))
                .extracting(it -> requireNonNull(it.getMetadata().getLabels()).get("holdfast.dev/component"))
                .containsExactlyInAnyOrder(
                        "configuration",
                        "ledger",
                        "ledger",
                        "ledger",
                        "ledger",
                        "ledger",
                        "ledger",
                        "ledger",
                        "ledger");
    }

    @Test
    void chartAndImageHaveTheVersionOfTheBuild() {
        String version = System.getProperty("project.version");

        assertThat(Chart.file("Chart.yaml")).contains("\nversion: " + version + "\nappVersion: " + version + "\n");
    }

    private static List<String> names(List<HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getKind() + " "
                        + (object.getMetadata().getNamespace() == null
                                ? ""
                                : object.getMetadata().getNamespace() + "/")
                        + object.getMetadata().getName())
                .toList();
    }
}
