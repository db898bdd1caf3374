package dev.holdfast.charts;

import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigTest {
    @Test
    void theFileSaysEveryValueAndProtectsTheOperatorsOwnNamespace() {
        assertThat(config())
                .isEqualTo(Map.ofEntries(
                        entry("defaultForgivenessSeconds", 300),
                        entry("maxMode", "Enforce"),
                        entry("protectedNamespaces", List.of("kube-system", "kube-public", "kube-node-lease", "hf")),
                        entry("ownNamespace", "hf"),
                        entry("schedulerNames", List.of("default-scheduler")),
                        entry("scheduling", Map.of("enabled", false)),
                        entry("exemptNamespaces", List.of("kube-system")),
                        entry("replacementMinReadySeconds", 10),
                        entry("replacementTimeoutSeconds", 600),
                        entry(
                                "limits",
                                Map.of(
                                        "maxConcurrentEvictions", 10,
                                        "maxEvictionsPerHour", 120,
                                        "perNamespace", Map.of("maxConcurrentEvictions", 5),
                                        "perNode", Map.of("maxConcurrentEvictions", 2),
                                        "perWorkload", Map.of("maxConcurrentEvictions", 1))),
                        entry("teamLabel", ""),
                        entry(
                                "breakers",
                                Map.of(
                                        "label", Map.of("percent", 20, "minNodes", 3),
                                        "volume", Map.of("percent", 5, "minPods", 50))),
                        entry(
                                "lease",
                                Map.of(
                                        "namespace", "kube-system",
                                        "durationSeconds", 15,
                                        "renewDeadlineSeconds", 10,
                                        "retryPeriodSeconds", 2)),
                        entry("http", Map.of("port", 8080)),
                        entry("metrics", Map.of("port", 8081, "secure", false, "byNamespace", false)),
                        entry("logLevel", "info"),
                        entry("logFormat", "json")));
    }

    @Test
    void everyValueUnderConfigIsInTheFileAsItIs() {
        Map<?, ?> values = values();
        Map<?, ?> config = new HashMap<>(config());
        config.remove("protectedNamespaces");
        config.remove("ownNamespace");
        config.remove("scheduling");

        assertThat(config.keySet())
                .allSatisfy(key -> assertThat(config.get(key)).isEqualTo(values.get(key)));
        assertThat(config).hasSize(values.size() - 1);
    }

    @Test
    void theOperatorKnowsWhetherTheChartInstalledAdmissionPolicies() {
        assertThat(config("scheduling.enabled=true").get("scheduling")).isEqualTo(Map.of("enabled", true));
    }

    @Test
    void anOwnNamespaceThatIsProtectedAlreadyIsNamedOnce() {
        assertThat(config("namespaceOverride=kube-system").get("protectedNamespaces"))
                .isEqualTo(List.of("kube-system", "kube-public", "kube-node-lease"));
    }

    @Test
    void theOwnNamespaceIsProtectedWhateverTheValuesSay() {
        assertThat(config("config.protectedNamespaces[0]=infra").get("protectedNamespaces"))
                .isEqualTo(List.of("infra", "hf"));
    }

    @Test
    void aGreatNumberStaysWhole() {
        assertThat(config("config.defaultForgivenessSeconds=604800").get("defaultForgivenessSeconds"))
                .isEqualTo(604_800);
    }

    @Test
    void aLeaseThatCouldBeLostUnnoticedIsRefused() {
        assertThatThrownBy(() -> Chart.render("config.lease.renewDeadlineSeconds=15"))
                .hasMessageContaining(
                        "config.lease.renewDeadlineSeconds must be less than durationSeconds: got 15 and 15");
        assertThatThrownBy(() -> Chart.render("config.lease.retryPeriodSeconds=12"))
                .hasMessageContaining(
                        "config.lease.retryPeriodSeconds must be less than renewDeadlineSeconds: got 12 and 10");
    }

    @Test
    void aReplacementThatCouldNeverBeReadyInTimeIsRefused() {
        assertThatThrownBy(() -> Chart.render("config.replacementTimeoutSeconds=10"))
                .hasMessageContaining(
                        "config.replacementMinReadySeconds must be less than replacementTimeoutSeconds: got 10 and 10");
    }

    @Test
    void aCertificateOfMetricsIsReadFromAFolder() {
        assertThat(config("config.metrics.secure=true", "metricsCertificate.secretName=holdfast-metrics")
                        .get("metrics"))
                .isEqualTo(Map.of(
                        "port",
                        8081,
                        "secure",
                        true,
                        "byNamespace",
                        false,
                        "certificateFolder",
                        "/etc/holdfast-certificate"));
    }

    @Test
    void aCertificateOfMetricsThatAreServedByHttpIsRefused() {
        assertThatThrownBy(() -> Chart.render("metricsCertificate.secretName=holdfast-metrics"))
                .hasMessageContaining("metricsCertificate.secretName needs config.metrics.secure: true");
    }

    private static Map<?, ?> values() {
        Map<?, ?> values = Chart.read(Chart.file("values.yaml"), Map.class);
        return (Map<?, ?>) requireNonNull(values.get("config"));
    }

    private static Map<?, ?> config(String... settings) {
        Map<String, String> files =
                Chart.object(ConfigMap.class, "holdfast", settings).getData();
        return Chart.read(requireNonNull(files.get("config.yaml")), Map.class);
    }
}
