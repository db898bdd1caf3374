package dev.holdfast.it.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The condition SchedulingEnforced on the real API server: by the chart's settings, by a pod with the injected rule,
 * and by a pod without it after a user has deleted the admission policies. The operator has the rights of the chart.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchedulingConditionIT {
    private static final String INJECT_SSD = """
        mode: Audit
        podSelector: {}
        scheduling: InjectAlsoInAudit
        rules:
        - name: ssd
          nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}
        """;

    private final ControlPlane controlPlane = ControlPlane.start();
    private final KubernetesClient admin =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();

    @AfterAll
    void end() {
        admin.close();
        controlPlane.close();
    }

    private OperatorProcess operator(InstalledChart chart, String log) {
        Path file = controlPlane.folder().resolve("logs/" + log + ".log");
        OperatorProcess operator = OperatorProcess.start(chart.kubeconfig(), chart.config(), file);
        await("the operator is ready").atMost(TimeLimits.STATE).until(operator::isReady);
        return operator;
    }

    private static void becomes(Stage stage, String condition) {
        await("SchedulingEnforced " + condition)
                .atMost(TimeLimits.STATE)
                .until(() -> stage.condition("SchedulingEnforced"), Optional.of(condition)::equals);
    }

    /** {@return whether the API server injects the rule into this new pod} */
    private static boolean injects(Stage stage, String pod) {
        stage.apply("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s}
            spec:
              nodeSelector: {pool: $NS}
              containers: [{name: main, image: main}]
            """.formatted(pod));
        return Optional.ofNullable(stage.client()
                        .pods()
                        .inNamespace(stage.namespace())
                        .withName(pod)
                        .require()
                        .getMetadata()
                        .getAnnotations())
                .filter(annotations -> annotations.containsKey("holdfast.dev/injected-rules"))
                .isPresent();
    }

    /** Deletes the admission policies, as a user does who does not know what they are for. */
    private void deleteAdmissionPolicies() {
        for (String kind : List.of("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding")) {
            ResourceDefinitionContext policies = new ResourceDefinitionContext.Builder()
                    .withGroup("admissionregistration.k8s.io")
                    .withVersion("v1")
                    .withKind(kind)
                    .withPlural(
                            kind.equals("MutatingAdmissionPolicy")
                                    ? "mutatingadmissionpolicies"
                                    : "mutatingadmissionpolicybindings")
                    .withNamespaced(false)
                    .build();
            admin.genericKubernetesResources(policies).delete();
        }
    }

    @Test
    void theConditionFollowsTheChartAndThePods() {
        InstalledChart chart = InstalledChart.install(controlPlane, "holdfast", "scheduling.enabled=false");
        Stage stage = Stage.open(admin, "shop").node("n1", "disk=ssd").policy(INJECT_SSD);
        try (OperatorProcess _ = operator(chart, "without")) {
            becomes(stage, "False NotInstalled");
        }

        chart.upgrade("scheduling.enabled=true");

        try (OperatorProcess _ = operator(chart, "with")) {
            becomes(stage, "Unknown NotObserved");
            AtomicInteger pods = new AtomicInteger();
            await("the API server injects the rule")
                    .atMost(TimeLimits.STATE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> injects(stage, "before-" + pods.incrementAndGet()));
            becomes(stage, "True Injected");

            deleteAdmissionPolicies();

            // The first pods prove nothing: the operator has read the policy less than half a minute ago.
            await("the operator has seen a pod without the rule")
                    .atMost(TimeLimits.STATE)
                    .pollInterval(Duration.ofSeconds(3))
                    .until(() -> {
                        injects(stage, "after-" + pods.incrementAndGet());
                        return stage.condition("SchedulingEnforced").equals(Optional.of("False NotInjected"));
                    });
            assertThat(stage.condition("Ready")).contains("True Evaluated");
        }
    }
}
