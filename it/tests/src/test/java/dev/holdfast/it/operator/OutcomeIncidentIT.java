package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static dev.holdfast.it.scenario.StageDefaults.QUIET;
import static dev.holdfast.it.scenario.StageDefaults.enforcing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Incidents in which no replacement starts, on a real control plane. The brakes that they pull hold the whole cluster,
 * so these tests share a control plane only with each other, and each has an operator of its own. A replacement has 5 s
 * to become Ready, instead of ten minutes.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(5)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OutcomeIncidentIT {
    /** How long an operator watches before it acts. */
    private static final Duration FIRST_WATCH = Duration.ofSeconds(30);

    private static final String FROZEN = "True OutcomeBreaker";

    private final InstantSource clock = InstantSource.system();
    private final ControlPlane controlPlane = ControlPlane.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final InstalledChart chart = InstalledChart.install(
            controlPlane,
            "holdfast",
            "enforcement.enabled=true",
            "config.replacementMinReadySeconds=0",
            "config.replacementTimeoutSeconds=5",
            Stage.MANY_STAGES);
    private final ScenarioRun scenarioRun = new ScenarioRun(client, controlPlane.auditTrail(), chart.user());

    @AfterAll
    void end() {
        client.close();
        controlPlane.close();
    }

    private OperatorProcess start() {
        return OperatorProcess.start(
                chart.kubeconfig(), chart.config(), controlPlane.folder().resolve("logs/operator.log"));
    }

    private static void awaitReady(OperatorProcess operator) {
        await("the operator is ready").atMost(TimeLimits.STATE).until(operator::isReady);
    }

    /** Creates Deployments {@code web-0}, {@code web-1} and so on with one pod each, all on node {@code n1}. */
    private Stage deployments(String name, int number, String otherNode) {
        Stage stage = scenarioRun.stage(name).node("n1", "disk=ssd").node(otherNode, "disk=hdd");
        apps(number).forEach(app -> stage.deployment(app, 1, ON_SSD));
        apps(number).forEach(app -> scenarioRun.settle(stage, app, 1));
        return stage;
    }

    private static Stream<String> apps(int number) {
        return IntStream.range(0, number).mapToObj(i -> "web-" + i);
    }

    private static List<Pod> pods(Stage stage, int deployments) {
        return apps(deployments).flatMap(app -> stage.running(app).stream()).toList();
    }

    private static List<Pod> without(List<Pod> pods, List<Pod> others) {
        List<String> uids =
                others.stream().map(pod -> pod.getMetadata().getUid()).toList();
        return pods.stream()
                .filter(pod -> !uids.contains(pod.getMetadata().getUid()))
                .toList();
    }

    /** Checks that the audit log shows evictions of exactly those pods that are not there any more. */
    private void evictedAllMissing(Stage stage, List<Pod> before, String cause, Duration quiet) {
        List<Pod> missing = without(before, pods(stage, before.size()));
        scenarioRun.left(stage, scenarioRun.evicted(stage, missing, "NodeAffinity", cause), quiet);
    }

    private static String lostItsSsd(Stage stage) {
        return "label disk of node " + stage.nodeName("n1") + " changed ssd -> hdd";
    }

    private static boolean refusesPods(Stage stage) {
        Pod pod = stage.running("web-0").getFirst();
        pod.getMetadata().setName("probe");
        pod.getMetadata().setResourceVersion(null);
        try {
            stage.client().resource(pod).dryRun().create();
            return false;
        } catch (KubernetesClientException _) {
            return true;
        }
    }

    private static void quota(Stage stage, int pods) {
        stage.apply("""
            apiVersion: v1
            kind: ResourceQuota
            metadata: {name: room}
            spec: {hard: {pods: "%s"}}
            """.formatted(pods));
    }

    @Test
    @Order(1)
    @Execution(ExecutionMode.SAME_THREAD)
    void whileAnAdmissionPolicyRefusesPodsThreeLeaveAndNoneWhereAQuotaWasLowered() {
        try (OperatorProcess operator = start()) {
            Stage refused = deployments("pods-refused", 4, "n2");
            // The pods with the quota are newer, so they would go first.
            Stage lowered = deployments("quota-lowered", 4, "n2");
            quota(lowered, 8);
            awaitReady(operator);
            List<Stage> both = List.of(lowered, refused);
            // Longer than the watch of quotas may lag behind that of nodes.
            both.forEach(stage -> scenarioRun.calm(stage.policy(enforcing(Duration.ofSeconds(20)))));
            List<Pod> ofLowered = pods(lowered, 4);
            List<Pod> ofRefused = pods(refused, 4);
            quota(lowered, 1);
            refused.refusePods();
            both.forEach(stage -> scenarioRun.until("no new pod in " + stage.namespace(), () -> refusesPods(stage)));

            both.forEach(stage -> stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd"));

            scenarioRun.until(
                    "the breaker holds " + refused.namespace(),
                    () -> refused.condition("EnforcementHeld")
                            .filter(FROZEN::equals)
                            .isPresent());
            scenarioRun.until(
                    "the quota holds " + lowered.namespace(),
                    () -> lowered.condition("EnforcementHeld")
                            .filter("True QuotaExceeded"::equals)
                            .isPresent());
            assertThat(without(ofLowered, pods(lowered, 4))).isEmpty();
            evictedAllMissing(lowered, ofLowered, lostItsSsd(lowered), QUIET);
            evictedAllMissing(refused, ofRefused, lostItsSsd(refused), Duration.ofSeconds(1));
            assertThat(evictions(lowered, refused)).hasSize(3);
            scenarioRun.until(
                    "an event about the breaker",
                    () -> frozen().stream()
                            .anyMatch(message -> message.startsWith(
                                    "the last 3 moves in namespace pods-refused got no Ready replacement in time")));

            quota(lowered, 8);
            client.resources(ValidatingAdmissionPolicyBinding.class)
                    .withName("no-pods")
                    .delete();
            for (Stage stage : both) {
                scenarioRun.until(
                        "all pods of " + stage.namespace() + " moved",
                        () -> apps(4).allMatch(app -> stage.places(app).equals(List.of("n2"))));
            }
            scenarioRun.over(lowered, scenarioRun.evicted(lowered, ofLowered, "NodeAffinity", lostItsSsd(lowered)));
            scenarioRun.over(
                    refused,
                    scenarioRun.evicted(refused, ofRefused, "NodeAffinity", lostItsSsd(refused)),
                    Duration.ofSeconds(1));
            assertThat(operator.stop()).as("exit code after SIGTERM").isZero();
            both.forEach(Stage::deletePolicy);
        }
    }

    private List<AuditRecord> evictions(Stage... stages) {
        return Stream.of(stages)
                .flatMap(stage -> scenarioRun.evictions(stage).stream())
                .toList();
    }

    /** {@return the messages of the events that a breaker opened} */
    private List<String> frozen() {
        return client.events().v1().events().inAnyNamespace().list().getItems().stream()
                .filter(event -> event.getReason().equals("EnforcementFrozen"))
                .map(event -> event.getNote())
                .toList();
    }

    @Test
    @Order(2)
    @Execution(ExecutionMode.SAME_THREAD)
    void withoutForgivenessNoneLeavesAStartingOperatorForThirtySecondsAndThenThreeWhoseImageIsNotThere() {
        Stage stage = deployments("registry-down", 6, "n2-without-images");
        List<Pod> before = pods(stage, 6);
        stage.policy(enforcing(Duration.ZERO));
        stage.label("n2-without-images", "disk", "ssd").label("n1", "disk", "hdd");
        Instant started = clock.instant();
        try (OperatorProcess operator = start()) {
            awaitReady(operator);

            scenarioRun.until(
                    "the breaker holds all pods",
                    () -> stage.condition("EnforcementHeld")
                            .filter(FROZEN::equals)
                            .isPresent());
            evictedAllMissing(stage, before, "it was first seen", QUIET);
            assertThat(evictions(stage)).hasSize(3);
            assertThat(evictions(stage).getFirst().received()).isAfterOrEqualTo(started.plus(FIRST_WATCH));
            assertThat(Collections.frequency(stage.outcomes(), "Futile")).isEqualTo(3);

            scenarioRun.until("all pods moved", () -> {
                apps(6).forEach(stage::pullImages);
                return apps(6).allMatch(app -> stage.places(app).equals(List.of("n2-without-images")));
            });
            scenarioRun.left(
                    stage,
                    scenarioRun.evicted(stage, before, "NodeAffinity", "it was first seen"),
                    Duration.ofSeconds(5));
        }
    }
}
