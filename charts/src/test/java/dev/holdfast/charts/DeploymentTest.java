package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.fabric8.kubernetes.api.model.Capabilities;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicySpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeploymentTest {
    private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);

    @Test
    void theSelectorChoosesThePodsOfThisReleaseAlone() {
        Deployment deployment = Chart.object(Deployment.class, "holdfast");

        assertThat(deployment.getSpec().getSelector().getMatchLabels())
                .containsOnly(
                        Map.entry("app.kubernetes.io/name", "holdfast"),
                        Map.entry("app.kubernetes.io/instance", "holdfast"));
        assertThat(template().getMetadata().getLabels())
                .containsAllEntriesOf(deployment.getSpec().getSelector().getMatchLabels());
    }

    @Test
    void thePodPassesTheRestrictedStandard() {
        PodSpec pod = template().getSpec();
        SecurityContext container = container().getSecurityContext();

        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(65532);
        assertThat(pod.getSecurityContext().getRunAsGroup()).isEqualTo(65532);
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(container.getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getPrivileged()).isNull();
        assertThat(container.getCapabilities()).isEqualTo(new Capabilities(List.of(), List.of("ALL")));
        assertThat(pod.getHostNetwork()).isNull();
        assertThat(pod.getHostPID()).isNull();
        assertThat(pod.getHostIPC()).isNull();
        assertThat(container().getPorts().getFirst().getHostPort()).isNull();
        assertThat(pod.getVolumes())
                .singleElement()
                .satisfies(volume -> assertThat(volume.getConfigMap().getName()).isEqualTo("holdfast"));
    }

    @Test
    void memoryIsLimitedAndCpuIsNot() {
        assertThat(container().getResources().getRequests())
                .containsOnly(Map.entry("cpu", new Quantity("100m")), Map.entry("memory", new Quantity("256Mi")));
        assertThat(container().getResources().getLimits()).containsOnly(Map.entry("memory", new Quantity("448Mi")));
    }

    @Test
    void probesAskTheHttpPort() {
        assertThat(container().getPorts())
                .extracting(ContainerPort::getName, ContainerPort::getContainerPort)
                .containsExactly(tuple("http", 8080), tuple("metrics", 8081));
        assertThat(asked(container().getStartupProbe())).isEqualTo("/livez");
        assertThat(asked(container().getLivenessProbe())).isEqualTo("/livez");
        assertThat(asked(container().getReadinessProbe())).isEqualTo("/readyz");
    }

    @Test
    void aNetworkPolicyIsForThoseWhoWantOne() {
        assertThat(Chart.objects(NetworkPolicy.class)).isEmpty();
    }

    @Test
    void theNetworkPolicyOpensProbesToAllAndMetricsToTheNamed() {
        NetworkPolicySpec closed = networkPolicy("networkPolicy.enabled=true");
        assertThat(closed.getPolicyTypes()).containsExactly("Ingress");
        assertThat(closed.getPodSelector().getMatchLabels())
                .isEqualTo(Chart.objects(Deployment.class)
                        .getFirst()
                        .getSpec()
                        .getSelector()
                        .getMatchLabels());
        assertThat(closed.getIngress()).singleElement().satisfies(rule -> {
            assertThat(rule.getFrom()).isEmpty();
            assertThat(rule.getPorts()).extracting(NetworkPolicyPort::getPort).containsExactly(new IntOrString("http"));
        });

        NetworkPolicySpec open = networkPolicy(
                "networkPolicy.enabled=true",
                "networkPolicy.metricsFrom[0].namespaceSelector.matchLabels.team=monitoring");
        assertThat(open.getIngress()).hasSize(2);
        assertThat(open.getIngress().getLast().getPorts())
                .extracting(NetworkPolicyPort::getPort)
                .containsExactly(new IntOrString("metrics"));
        assertThat(open.getIngress().getLast().getFrom())
                .singleElement()
                .satisfies(peer -> assertThat(peer.getNamespaceSelector().getMatchLabels())
                        .containsOnly(Map.entry("team", "monitoring")));
    }

    private static NetworkPolicySpec networkPolicy(String... settings) {
        return Chart.objects(NetworkPolicy.class, settings).getFirst().getSpec();
    }

    @Test
    void theServiceServesMetrics() {
        assertThat(Chart.objects(Service.class, "service.enabled=true")
                        .getFirst()
                        .getSpec()
                        .getPorts())
                .singleElement()
                .satisfies(port -> assertThat(port.getName()).isEqualTo("metrics"))
                .satisfies(port -> assertThat(port.getPort()).isEqualTo(8081))
                .satisfies(port -> assertThat(port.getTargetPort()).isEqualTo(new IntOrString("metrics")));
    }

    @Test
    void theServiceOfSecureMetricsSaysThatTheyAreServedByHttps() {
        assertThat(Chart.objects(Service.class, "service.enabled=true", "config.metrics.secure=true")
                        .getFirst()
                        .getSpec()
                        .getPorts())
                .singleElement()
                .satisfies(port -> assertThat(port.getAppProtocol()).isEqualTo("https"));
    }

    @Test
    void anotherPortIsAnotherContainerPort() {
        assertThat(container("config.http.port=9090").getPorts().getFirst().getContainerPort())
                .isEqualTo(9090);
    }

    @Test
    void itRunsWithTheMountedConfiguration() {
        assertThat(container().getArgs()).containsExactly("run", "--config=/etc/holdfast/config.yaml");
        assertThat(container("extraArgs[0]=--verbose").getArgs())
                .containsExactly("run", "--config=/etc/holdfast/config.yaml", "--verbose");
        assertThat(container().getVolumeMounts())
                .singleElement()
                .satisfies(mount -> assertThat(mount.getMountPath()).isEqualTo("/etc/holdfast"))
                .satisfies(mount -> assertThat(mount.getReadOnly()).isTrue());
    }

    @Test
    void theSecretWithTheCertificateOfMetricsIsMountedReadOnly() {
        String[] settings = {"config.metrics.secure=true", "metricsCertificate.secretName=holdfast-metrics"};

        assertThat(container(settings).getVolumeMounts())
                .extracting(VolumeMount::getName, VolumeMount::getMountPath, VolumeMount::getReadOnly)
                .containsExactly(
                        tuple("config", "/etc/holdfast", true),
                        tuple("certificate", "/etc/holdfast-certificate", true));
        Volume volume = template(settings).getSpec().getVolumes().getLast();
        assertThat(volume.getName()).isEqualTo("certificate");
        assertThat(volume.getSecret().getSecretName()).isEqualTo("holdfast-metrics");
        assertThat(volume.getSecret().getItems())
                .extracting(KeyToPath::getKey, KeyToPath::getPath)
                .containsExactly(tuple("tls.crt", "tls.crt"), tuple("tls.key", "tls.key"));
    }

    @ParameterizedTest
    @MethodSource
    void theImageIs(String image, String... settings) {
        assertThat(container(settings).getImage()).isEqualTo(image);
    }

    static List<Arguments> theImageIs() {
        String version = System.getProperty("project.version");
        return List.of(
                argumentSet("the chart's version by default", "holdfast:" + version, new String[] {}),
                argumentSet("a tag where one is given", "holdfast:v2", new String[] {"image.tag=v2"}),
                argumentSet("a digest before a tag", "holdfast@" + DIGEST, new String[] {
                    "image.tag=v2", "image.digest=" + DIGEST
                }),
                argumentSet("in a registry", "registry.example/tools/holdfast:v2", new String[] {
                    "image.registry=registry.example", "image.repository=tools/holdfast", "image.tag=v2"
                }));
    }

    @ParameterizedTest
    @MethodSource
    void thePodRestartsFor(boolean restarts, String... settings) {
        PodTemplateSpec before = template();
        PodTemplateSpec after = template(settings);

        assertThat(!before.equals(after)).isEqualTo(restarts);
    }

    static List<Arguments> thePodRestartsFor() {
        return List.of(
                argumentSet("another configuration", true, new String[] {"config.limits.maxEvictionsPerHour=7"}),
                argumentSet("nothing when it may evict, which it finds out by itself", false, new String[] {
                    "enforcement.enabled=true"
                }),
                argumentSet("nothing when there are fewer replicas", false, new String[] {"replicaCount=1"}),
                argumentSet("nothing when a Service is added", false, new String[] {"service.enabled=true"}),
                argumentSet("nothing when CRDs are annotated", false, new String[] {"crds.annotations.a=b"}));
    }

    @Test
    void theTokenIsMountedByThePodAndNotByTheAccount() {
        assertThat(template().getSpec().getAutomountServiceAccountToken()).isTrue();
        assertThat(Chart.object(ServiceAccount.class, "holdfast").getAutomountServiceAccountToken())
                .isFalse();
    }

    private static PodTemplateSpec template(String... settings) {
        return Chart.object(Deployment.class, "holdfast", settings).getSpec().getTemplate();
    }

    private static Container container(String... settings) {
        List<Container> containers = template(settings).getSpec().getContainers();
        assertThat(containers).hasSize(1);
        return containers.getFirst();
    }

    private static String asked(Probe probe) {
        HTTPGetAction get = probe.getHttpGet();
        assertThat(get.getPort()).isEqualTo(new IntOrString("http"));
        return get.getPath();
    }
}
