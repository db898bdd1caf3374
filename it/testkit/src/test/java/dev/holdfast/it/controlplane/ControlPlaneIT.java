package dev.holdfast.it.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The control plane works like a cluster: nodes, scheduling, PodDisruptionBudgets, evictions, ServiceAccounts, audit
 * log.
 */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class ControlPlaneIT {

    private final ControlPlane controlPlane;
    private final AuditTrail trail;
    private final KubernetesClient client;
    private final TestNamespace namespace;

    ControlPlaneIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        this.trail = controlPlane.auditTrail();
        this.client = clientOf(controlPlane.config());
        this.namespace = TestNamespace.create(client);
    }

    private static KubernetesClient clientOf(Config config) {
        // No retries: some tests expect a refusal.
        Config once = new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build();
        return new KubernetesClientBuilder().withConfig(once).build();
    }

    private static ConditionFactory eventually() {
        return await().atMost(TimeLimits.STATE).pollInterval(Duration.ofMillis(50));
    }

    @AfterEach
    void closeClient() {
        client.close();
    }

    @Test
    void aNewNodeBecomesSchedulableWithTheRoomItWasCreatedWith() {
        String node = namespace.createNode("a");

        eventually().until(() -> NodeObjects.isSchedulable(namespace.node(node)));

        assertThat(namespace.node(node).getStatus().getAllocatable())
                .isEqualTo(Map.of(
                        "cpu", new Quantity("32"), "memory", new Quantity("256Gi"), "pods", new Quantity("110")));
    }

    @Test
    void anEvictedPodIsReplacedOnTheNodeThatFitsAndTheTrailNamesItAlone() {
        String first = namespace.createNode("first");
        namespace.createDeployment(2);
        namespace.createBudget("web", 1);
        eventually().until(() -> namespace.nodesInUse().equals(List.of(first, first)));
        eventually().until(() -> namespace.disruptionsAllowed("web") == 1);
        String second = namespace.createNode("second");
        namespace.leavePool(first);
        Pod victim = namespace.runningPods().getFirst();

        namespace.evict(victim);

        eventually().until(() -> namespace.nodesInUse().equals(List.of(first, second)));
        eventually().until(() -> !trail.podDeletions(namespace.name()).isEmpty());
        assertThat(trail.evictions(namespace.name())).singleElement().satisfies(record -> {
            assertThat(record.name()).isEqualTo(victim.getMetadata().getName());
            assertThat(record.uid()).isEqualTo(victim.getMetadata().getUid());
            assertThat(record.user()).isEqualTo("admin");
            assertThat(record.code()).isEqualTo(201);
            assertThat(record.annotations()).isEqualTo(Map.of("holdfast.dev/plan", "p1"));
        });
        assertThat(trail.podDeletions(namespace.name())).allSatisfy(record -> {
            assertThat(record.name()).isEqualTo(victim.getMetadata().getName());
            assertThat(record.user()).isEqualTo(ControlPlane.NODE_USER);
        });
    }

    @Test
    void theTrailTellsDryAndRefusedEvictionsFromRealOnes() {
        namespace.createNode("a");
        namespace.createDeployment(1);
        namespace.createBudget("web", 0);
        eventually().until(() -> namespace.runningPods().size() == 1 && namespace.disruptionsAllowed("web") == 1);
        Pod pod = namespace.runningPods().getFirst();

        namespace.evict(pod, "All");
        client.policy().v1().podDisruptionBudget().inNamespace(namespace.name()).delete();
        namespace.createBudget("web", 1);
        eventually().until(() -> namespace.disruptionsAllowed("web") == 0);
        assertThatThrownBy(() -> namespace.evict(pod)).isInstanceOf(KubernetesClientException.class);

        eventually().until(() -> requestedEvictions().equals(List.of("DRY_RUN 201", "REAL 429")));
        assertThat(trail.evictions(namespace.name())).isEmpty();
        assertThat(namespace.runningPods()).hasSize(1);
    }

    @Test
    void anEvictionThatTwoBudgetsForbidTogetherDoesNotTakeEffect() {
        namespace.createNode("a");
        namespace.createDeployment(1);
        namespace.createBudget("one", 0);
        namespace.createBudget("two", 0);
        eventually().until(() -> namespace.runningPods().size() == 1);

        assertThatThrownBy(() -> namespace.evict(namespace.runningPods().getFirst()))
                .hasMessageContaining("more than one PodDisruptionBudget");

        eventually().until(() -> requestedEvictions().equals(List.of("REAL 500")));
        assertThat(trail.evictions(namespace.name())).isEmpty();
        assertThat(namespace.runningPods()).hasSize(1);
    }

    private List<String> requestedEvictions() {
        return trail.records().stream()
                .filter(AuditRecord::isEviction)
                .filter(record -> record.namespace().equals(namespace.name()))
                .map(record -> record.effect() + " " + record.code())
                .toList();
    }

    @Test
    void aScaleDownIsADeletionByTheController() {
        namespace.createNode("a");
        namespace.createDeployment(1);
        eventually().until(() -> namespace.runningPods().size() == 1);

        client.apps()
                .deployments()
                .inNamespace(namespace.name())
                .withName("web")
                .scale(0);

        eventually().until(() -> namespace.runningPods().isEmpty());
        eventually()
                .untilAsserted(() -> assertThat(trail.podDeletions(namespace.name()))
                        .extracting(AuditRecord::user)
                        .contains(ControlPlane.NODE_USER)
                        .startsWith("system:serviceaccount:kube-system:replicaset-controller"));
        assertThat(trail.evictions(namespace.name())).isEmpty();
    }

    @Test
    void aServiceAccountIsKnownByItsTokenMayDoNothingAndIsOnTheTrail() {
        String user = "system:serviceaccount:" + namespace.name() + ":default";
        eventually()
                .until(() -> client.serviceAccounts()
                                .inNamespace(namespace.name())
                                .withName("default")
                                .get()
                        != null);
        String token = client.serviceAccounts()
                .inNamespace(namespace.name())
                .withName("default")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();

        try (KubernetesClient account = clientOf(ControlPlane.config(controlPlane.kubeconfig(user, token)))) {
            assertThatThrownBy(
                            () -> account.pods().inNamespace(namespace.name()).list())
                    .hasMessageContaining("User \"" + user + "\" cannot list resource \"pods\"");
        }

        eventually()
                .until(() -> trail.records().stream()
                        .anyMatch(record ->
                                record.user().equals(user) && record.verb().equals("list") && record.code() == 403));
    }
}
