package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static dev.holdfast.it.scenario.StageDefaults.enforcing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.PodRemovals;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * How an operator process starts and ends: it stops on SIGTERM, starts clocks again after a restart, waits for its API
 * server, and caps its mode. The tests run in order, on their own control plane.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(4)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OperatorLifeIT {
    /** Long enough that also a slow test stops a server before the pod is due. */
    private static final Duration FORGIVENESS = Duration.ofSeconds(30);

    private static final String ENFORCE = enforcing(FORGIVENESS);

    private final InstantSource clock = InstantSource.system();
    private final ControlPlane controlPlane = ControlPlane.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private InstalledChart chart = InstalledChart.install(controlPlane, "holdfast", Stage.MANY_STAGES);
    private ScenarioRun scenarioRun = new ScenarioRun(client, controlPlane.auditTrail(), chart.user());

    @BeforeAll
    void install() {
        assertThat(chart.user()).isEqualTo("system:serviceaccount:holdfast:holdfast");
    }

    @AfterAll
    void end() {
        client.close();
        controlPlane.close();
    }

    private OperatorProcess start() {
        OperatorProcess operator = OperatorProcess.start(chart.kubeconfig(), chart.config(), log());
        await("the operator is ready").atMost(TimeLimits.STATE).until(operator::isReady);
        return operator;
    }

    private Stage broken(String name, String policy) {
        Stage stage = scenarioRun.stage(name).node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(policy));
        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        scenarioRun.until(
                "a pod violates", () -> stage.status("pods", "violating").equals(Optional.of(1)));
        return stage;
    }

    @Test
    @Order(1)
    @Execution(ExecutionMode.SAME_THREAD)
    void withoutTheRightToEvictItCapsItselfToAuditAndSaysSo() {
        try (OperatorProcess operator = start()) {
            Stage stage = broken("capped", enforcing(Duration.ofSeconds(2)));

            scenarioRun.until(
                    "the policy reports WouldEvict",
                    () -> String.valueOf(stage.status("violations").orElse("")).contains("WouldEvict"));
            scenarioRun.until(
                    "the mode in force is Audit",
                    () -> stage.status("effective", "mode").equals(Optional.of("Audit")));

            assertThat(stage.status("conditions").orElseThrow().toString()).contains("enforcement.enabled=true");
            assertThat(scenarioRun.evictionRequests(stage)).isEmpty();
            scenarioRun.over(stage, PodRemovals.NONE);
            assertThat(operator.stop()).as("exit code after SIGTERM").isZero();
            stage.deletePolicy();
        }
        assertThat(bannerLine())
                .contains("\"maxMode\":\"Enforce\"", "\"policies\":\"0\"")
                .contains("\"version\":\"" + System.getProperty("project.version"))
                .contains("\"inFlight\":\"10\"", "\"inFlightPerNamespace\":\"5\"", "\"inFlightPerNode\":\"2\"")
                .contains("\"inFlightPerWorkload\":\"1\"", "\"perHour\":\"120\"");
    }

    private String bannerLine() {
        try (Stream<String> lines = Files.lines(log())) {
            return lines.filter(line -> line.contains("\"message\":\"Holdfast starting\""))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path log() {
        return controlPlane.folder().resolve("logs/operator.log");
    }

    /** Waits for more than a fifth of the forgiveness. */
    private void awaitGap() {
        Instant begun = clock.instant();
        scenarioRun.until(
                "a gap that starts clocks again", () -> clock.instant().isAfter(begun.plus(FORGIVENESS.dividedBy(4))));
    }

    @Test
    @Order(2)
    @Execution(ExecutionMode.SAME_THREAD)
    void aRestartStartsClocksAgainAndIsNeverEarly() {
        chart.upgrade("enforcement.enabled=true", Stage.MANY_STAGES);
        Stage stage;
        try (OperatorProcess first = start()) {
            stage = broken("restarted", ENFORCE);
            assertThat(first.stop()).as("exit code after SIGTERM").isZero();
        }
        List<Pod> victims = stage.running("web");
        awaitGap();
        Instant restarted = clock.instant();
        try (OperatorProcess _ = start()) {
            scenarioRun.moved(stage, 1);
            scenarioRun.over(stage, scenarioRun.evicted(stage, victims, "NodeAffinity", "it was first seen"));
        }
        assertThat(scenarioRun.evictions(stage).getFirst().received()).isAfterOrEqualTo(restarted.plus(FORGIVENESS));
        stage.deletePolicy();
    }

    @Test
    @Order(3)
    @Execution(ExecutionMode.SAME_THREAD)
    void whileTheApiServerIsAwayItWaitsAndAfterThatItGoesOn() {
        chart.upgrade("enforcement.enabled=true", Stage.MANY_STAGES);
        try (OperatorProcess operator = start()) {
            Stage stage = broken("server-away", ENFORCE);
            List<Pod> victims = stage.running("web");

            controlPlane.stop(Program.KUBE_APISERVER);
            await("the operator loses its readiness")
                    .atMost(TimeLimits.STATE)
                    .until(() -> operator.status("/readyz") != 200);
            awaitGap();
            controlPlane.restart(Program.KUBE_APISERVER);
            Instant back = clock.instant();

            await("the operator is ready again").atMost(TimeLimits.STATE).until(operator::isReady);
            scenarioRun.moved(stage, 1);
            scenarioRun.over(
                    stage,
                    scenarioRun.evicted(
                            stage, victims, "NodeAffinity", "label disk of node server-away-n1 changed ssd -> hdd"));
            assertThat(scenarioRun.evictions(stage).getFirst().received())
                    .as("a gap longer than a tenth of the forgiveness restarts the clock")
                    .isAfterOrEqualTo(back.plus(FORGIVENESS));
        }
    }

    @Test
    @Order(4)
    @Execution(ExecutionMode.SAME_THREAD)
    void aRightThatIsTakenAwayWhileItRunsCapsItAtTheFirstRefusal() {
        chart.upgrade("enforcement.enabled=true", Stage.MANY_STAGES);
        try (OperatorProcess operator = start()) {
            // Longer than an upgrade takes on a busy machine, so that the first use of the right is after it.
            Stage stage = broken("revoked", enforcing(Duration.ofMinutes(10)));
            scenarioRun.until(
                    "the mode in force is Enforce",
                    () -> stage.status("effective", "mode").equals(Optional.of("Enforce")));

            Instant revoked = Instant.now();
            chart.upgrade(Stage.MANY_STAGES);

            scenarioRun.until(
                    "the mode in force is Audit",
                    () -> stage.status("effective", "mode").equals(Optional.of("Audit")));
            assertThat(stage.status("conditions").orElseThrow().toString()).contains("enforcement.enabled=true");
            assertThat(scenarioRun.refusedSince(revoked))
                    .as("the first refused request: the read of a random pod")
                    .extracting(it -> it.verb() + " " + it.resource())
                    .containsOnly("get pods");
            assertThat(scenarioRun.evictionRequests(stage)).isEmpty();
            scenarioRun.over(stage, PodRemovals.NONE);
            assertThat(operator.stop()).as("exit code after SIGTERM").isZero();
        }
    }

    @Test
    @Order(5)
    @Execution(ExecutionMode.SAME_THREAD)
    void withAKubeconfigAndWithoutEnforceItOnlyObservesAlthoughItMayEvict() {
        chart.upgrade("enforcement.enabled=true", Stage.MANY_STAGES);
        Path log = controlPlane.folder().resolve("logs/observer.log");
        try (OperatorProcess operator = OperatorProcess.startObserving(chart.kubeconfig(), chart.config(), log)) {
            await("the operator is ready").atMost(TimeLimits.STATE).until(operator::isReady);
            Stage stage = broken("observed", enforcing(Duration.ofSeconds(2)));

            scenarioRun.until(
                    "the policy reports WouldEvict",
                    () -> String.valueOf(stage.status("violations").orElse("")).contains("WouldEvict"));

            assertThat(stage.status("effective", "mode")).contains("Audit");
            assertThat(operator.log())
                    .first()
                    .asString()
                    .contains("\"message\":\"Holdfast connecting in observe-only mode")
                    .contains("\"server\":\"" + controlPlane.config().getMasterUrl())
                    .contains("\"maxMode\":\"Audit\"");
            assertThat(scenarioRun.evictionRequests(stage)).isEmpty();
            scenarioRun.over(stage, PodRemovals.NONE);
            assertThat(operator.stop()).as("exit code after SIGTERM").isZero();
        }
    }
}
