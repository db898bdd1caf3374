package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ValuesTest {
    @ParameterizedTest
    @MethodSource
    void isRefused(String setting, String message) {
        assertThatThrownBy(() -> Chart.render(setting))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(message);
    }

    static List<Arguments> isRefused() {
        return List.of(
                argumentSet(
                        "a misspelt switch of enforcement",
                        "enforcement.enable=true",
                        "at '/enforcement': additional properties 'enable' not allowed"),
                argumentSet(
                        "a misspelt limit",
                        "config.limits.maxEvictionPerHour=1",
                        "at '/config/limits': additional properties 'maxEvictionPerHour' not allowed"),
                argumentSet(
                        "a misspelt group", "configuration.maxMode=Audit", "additional properties 'configuration' not"),
                argumentSet(
                        "a mode that does not exist",
                        "config.maxMode=enforce",
                        "at '/config/maxMode': value must be one of 'Enforce', 'Audit'"),
                argumentSet(
                        "a time with a unit",
                        "config.defaultForgivenessSeconds=5m",
                        "at '/config/defaultForgivenessSeconds': got string, want integer"),
                argumentSet(
                        "a negative forgiveness",
                        "config.defaultForgivenessSeconds=-1",
                        "at '/config/defaultForgivenessSeconds': minimum: got -1, want 0"),
                argumentSet(
                        "more forgiveness than a policy may have",
                        "config.defaultForgivenessSeconds=604801",
                        "at '/config/defaultForgivenessSeconds': maximum: got 604,801, want 604,800"),
                argumentSet(
                        "no eviction in flight, which Audit says better",
                        "config.limits.maxConcurrentEvictions=0",
                        "at '/config/limits/maxConcurrentEvictions': minimum: got 0, want 1"),
                argumentSet(
                        "a namespace that cannot exist",
                        "config.protectedNamespaces[0]=Kube_System",
                        "at '/config/protectedNamespaces/0': 'Kube_System' does not match pattern"),
                argumentSet(
                        "the name of a Secret that cannot exist",
                        "metricsCertificate.secretName=Metrics",
                        "at '/metricsCertificate/secretName': 'Metrics' does not match pattern"),
                argumentSet(
                        "a negative number of replicas",
                        "replicaCount=-1",
                        "at '/replicaCount': minimum: got -1, want 0"),
                argumentSet(
                        "a word for the spread of replicas",
                        "spreadReplicas=soft",
                        "at '/spreadReplicas': got string, want boolean"),
                argumentSet(
                        "a budget that no drain ever gets past",
                        "podDisruptionBudget.maxUnavailable=0",
                        "at '/podDisruptionBudget/maxUnavailable': minimum: got 0, want 1"),
                argumentSet(
                        "such a budget in percent",
                        "podDisruptionBudget.maxUnavailable=0%",
                        "at '/podDisruptionBudget/maxUnavailable': '0%' does not match pattern"),
                argumentSet(
                        "a policy for unhealthy pods that does not exist",
                        "podDisruptionBudget.unhealthyPodEvictionPolicy=Always",
                        "at '/podDisruptionBudget/unhealthyPodEvictionPolicy': value must be one of"
                                + " 'AlwaysAllow', 'IfHealthyBudget'"),
                argumentSet(
                        "a short digest", "image.digest=sha256:abc", "at '/image/digest': 'sha256:abc' does not match"),
                argumentSet(
                        "a pull policy that does not exist",
                        "image.pullPolicy=Sometimes",
                        "at '/image/pullPolicy': value must be one of 'Always', 'IfNotPresent', 'Never'"),
                argumentSet(
                        "a port that needs privileges",
                        "config.http.port=80",
                        "at '/config/http/port': minimum: got 80, want 1,024"),
                argumentSet(
                        "a forgiveness taken out, of which the notes tell",
                        "config.defaultForgivenessSeconds=null",
                        "at '/config': missing property 'defaultForgivenessSeconds'"),
                argumentSet(
                        "protected namespaces taken out: to protect none, give an empty list",
                        "config.protectedNamespaces=null",
                        "at '/config': missing property 'protectedNamespaces'"),
                argumentSet("a lease taken out", "config.lease=null", "at '/config': missing property 'lease'"),
                argumentSet(
                        "a limit taken out",
                        "config.limits.perNode=null",
                        "at '/config/limits': missing property 'perNode'"),
                argumentSet("all of it taken out", "config=null", "missing property 'config'"),
                argumentSet(
                        "a word for a switch",
                        "enforcement.enabled=yes",
                        "at '/enforcement/enabled': got string, want boolean"));
    }

    @Test
    void asADependencyItAcceptsWhatHelmAddsByItself() {
        assertThat(Chart.render("global.imageRegistry=registry.example")).contains("kind: Deployment");
    }

    @Test
    void everyLevelOfOursIsClosed() {
        List<String> open = new ArrayList<>();
        collectOpen("", Chart.read(Chart.file("values.schema.json"), Map.class), open);

        assertThat(open).isEmpty();
    }

    /** Collects the objects that list their properties but also allow others. */
    private static void collectOpen(String path, Map<?, ?> schema, List<String> open) {
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            if (!Boolean.FALSE.equals(schema.get("additionalProperties"))) {
                open.add(path);
            }
            properties.forEach((name, child) -> collectOpen(path + "/" + name, (Map<?, ?>) child, open));
        }
    }
}
