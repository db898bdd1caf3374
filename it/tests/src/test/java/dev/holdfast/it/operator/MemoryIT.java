package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ENFORCE;
import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static dev.holdfast.it.scenario.StageDefaults.QUIET;
import static dev.holdfast.it.scenario.StageDefaults.enforcing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests that a restart lifts no brake and no limit and starts no clock again: the operator's next process reads what
 * the last one wrote.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(6)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MemoryIT {
    private static final String BREAKER_ID = "holdfast.dev/acknowledge=(rack@\\w+)";

    private final InstantSource clock = InstantSource.system();
    private final ControlPlane controlPlane = ControlPlane.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final InstalledChart chart = InstalledChart.install(
            controlPlane, "holdfast", "enforcement.enabled=true", "config.replacementMinReadySeconds=0");
    private final ScenarioRun scenarioRun = new ScenarioRun(client, controlPlane.auditTrail(), chart.user());
    private final Path log = controlPlane.folder().resolve("logs/operator.log");

    @AfterAll
    void end() {
        client.close();
        controlPlane.close();
    }

    private OperatorProcess start() {
        OperatorProcess operator = OperatorProcess.start(chart.kubeconfig(), chart.config(), log);
        await("the operator is ready").atMost(TimeLimits.STATE).until(operator::isReady);
        return operator;
    }

    /** The only eviction of the hour is made, and another pod is due. */
    private Stage spent() {
        Stage stage = scenarioRun.stage("spent").node("n1", "disk=ssd").node("n2", "disk=hdd");
        List.of("web-1", "web-2").forEach(app -> stage.deployment(app, 1, ON_SSD));
        List.of("web-1", "web-2").forEach(app -> scenarioRun.settle(stage, app, 1));
        scenarioRun.calm(stage.policy("""
            mode: Enforce
            podSelector: {}
            limits: {minReplicas: 0, maxEvictionsPerHour: 1}
            forgivenessSeconds: 3
            """));
        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        scenarioRun.moved(stage, 1);
        return stage;
    }

    /** The first pod is evicted, and an admission policy refuses its replacement. */
    private Stage stuck() {
        Stage stage = scenarioRun.stage("stuck").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 2, ON_SSD);
        scenarioRun.settle(stage, "web", 2);
        scenarioRun.calm(stage.policy("""
            mode: Enforce
            podSelector: {}
            limits: {minReplicas: 0, maxUnavailable: "100%"}
            forgivenessSeconds: 3
            """));
        stage.refusePods();
        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        scenarioRun.until("one pod is gone", () -> scenarioRun.evictions(stage).size() == 1);
        return stage;
    }

    /** A new policy would move eleven pods, which no user has acknowledged. */
    private Stage backlog() {
        Stage stage = scenarioRun.stage("backlog").node("n1", "tier=gold");
        stage.deployment("web", 11, "nodeSelector: {pool: $NS, tier: gold}");
        scenarioRun.settle(stage, "web", 11);
        stage.label("n1", "tier", "base").node("n2", "tier=gold");
        stage.awaitViolating(11);
        stage.policy(ENFORCE);
        scenarioRun.holdsBack(stage, "PolicyBacklog");
        return stage;
    }

    private void acknowledgeBreaker(OperatorProcess operator) {
        Matcher id = Pattern.compile(BREAKER_ID).matcher(String.join("\n", operator.log()));
        assertThat(id.find()).as("the log names the id of the breaker").isTrue();
        client.namespaces()
                .withName("holdfast")
                .edit(it -> new NamespaceBuilder(it)
                        .editMetadata()
                        .addToAnnotations("holdfast.dev/acknowledge", id.group(1))
                        .endMetadata()
                        .build());
    }

    /** A pod whose rule breaks after the restart moves: so the operator acts, and everything else was due too. */
    private void movesAnotherPod() {
        Stage stage = scenarioRun.stage("after").node("n1", "pen=a").node("n2", "pen=b");
        stage.deployment("web", 1, """
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms: [{matchExpressions: [{key: pen, operator: In, values: [a]}]}]
            """);
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(ENFORCE));
        stage.label("n2", "pen", "a").label("n1", "pen", "b");
        scenarioRun.moved(stage, 1);
    }

    /** An upgrade ends the operator by SIGTERM. The time that it had observed counts, and the time between does not. */
    @Test
    @Order(2)
    @Execution(ExecutionMode.SAME_THREAD)
    void aClockGoesOnAfterARestart() {
        Duration forgiveness = Duration.ofMinutes(2);
        Stage stage;
        Instant broken;
        Instant seen;
        Instant stopping;
        try (OperatorProcess first = start()) {
            stage = scenarioRun.stage("clock").node("n1", "shelf=a").node("n2", "shelf=b");
            stage.deployment("web", 1, "nodeSelector: {pool: $NS, shelf: a}");
            scenarioRun.settle(stage, "web", 1);
            scenarioRun.calm(stage.policy(enforcing(forgiveness)));
            broken = clock.instant();
            stage.label("n2", "shelf", "a").label("n1", "shelf", "b");
            scenarioRun.until("the operator sees it", () -> first.seesViolation(stage.namespace()));
            seen = clock.instant();
            Instant observed = seen.plusSeconds(50);
            scenarioRun.until(
                    "the operator has observed it for 50 s",
                    () -> clock.instant().isAfter(observed));
            stopping = clock.instant();
            assertThat(first.stop()).as("exit code after SIGTERM").isZero();
        }

        try (OperatorProcess next = start()) {
            Instant ready = clock.instant();
            scenarioRun.moved(stage, 1);

            Instant evicted = scenarioRun.evictions(stage).getFirst().received();
            assertThat(evicted).as("not early").isAfterOrEqualTo(broken.plus(forgiveness));
            // After a gap of more than a fifth of the forgiveness the clock starts again: no fault, but a slow machine.
            Duration gap = Duration.between(stopping, ready);
            if (gap.compareTo(forgiveness.dividedBy(5).minusSeconds(10)) < 0) {
                assertThat(next.deadlineOfEviction(stage.namespace()))
                        .as("what was observed before a gap of %s counts", gap)
                        .isBefore(seen.plus(forgiveness).plus(gap).plusSeconds(25));
            }
            assertThat(next.log()).anyMatch(line -> line.contains("Read the ledger"));
        }
    }

    private int evictions(Stage stage) {
        return scenarioRun.evictions(stage).size();
    }

    @Test
    @Order(1)
    @Execution(ExecutionMode.SAME_THREAD)
    void killMinusNineLiftsNoBrakeAndNoLimit() {
        Stage frozen;
        Stage spent;
        Stage stuck;
        Stage backlog;
        try (OperatorProcess _ = start()) {
            frozen = scenarioRun.behindAnOpenLabelBreaker("frozen");
            spent = spent();
            stuck = stuck();
            backlog = backlog();
        }

        try (OperatorProcess next = start()) {
            movesAnotherPod();

            await("nothing else moves")
                    .during(QUIET)
                    .atMost(QUIET.plus(TimeLimits.ANSWER))
                    .untilAsserted(() -> {
                        assertThat(evictions(frozen))
                                .as("behind an open breaker")
                                .isZero();
                        assertThat(evictions(spent)).as("with one an hour").isEqualTo(1);
                        assertThat(evictions(stuck))
                                .as("whose replacement never came")
                                .isEqualTo(1);
                        assertThat(evictions(backlog))
                                .as("in an unacknowledged backlog")
                                .isZero();
                    });
            assertThat(next.log())
                    .anyMatch(line -> line.contains("BreakerTakenOver") && line.contains("rack@"))
                    .anyMatch(line -> line.contains("BacklogTakenOver"));

            acknowledgeBreaker(next);
            scenarioRun.until("the old id ends the breaker", () -> evictions(frozen) == 1);
            scenarioRun.keptToItsRights();
        }
    }
}
