package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ENFORCE;
import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorLaunch;
import dev.holdfast.it.scenario.Replica;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * An operator whose code is not compiled moves several pods at once. Its threads take so long that they meet, as those
 * of a process do that has just started.
 */
@Timeout(value = TimeLimits.TEST_MINUTES, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class ColdCodeIT {
    /**
     * The reasons of lost views that only wrong bytes have. On a busy machine, interpreted code may also lose a view
     * for being slow.
     */
    private static final Pattern WRONG_CONTENT = Pattern.compile("be read|went back|older state|feed died");

    private static final List<String> APPS = List.of("web-1", "web-2", "web-3", "web-4", "web-5");

    @Test
    void podsThatMoveTogetherAreReadRightly() {
        try (ControlPlane controlPlane = ControlPlane.start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(controlPlane.config())
                        .build()) {
            InstalledChart chart = InstalledChart.install(
                    controlPlane,
                    "holdfast",
                    "enforcement.enabled=true",
                    "config.replacementMinReadySeconds=0",
                    Stage.MANY_STAGES);
            ScenarioRun scenarioRun = new ScenarioRun(client, controlPlane.auditTrail(), chart.user());
            try (Replica replica = Replica.start(
                    controlPlane, chart, "cold", OperatorLaunch.likeThisJvm().interpreted())) {
                await("the operator is ready")
                        .atMost(TimeLimits.STATE)
                        .until(() -> replica.operator().isReady());
                Stage stage = scenarioRun.stage("cold").node("n1", "disk=ssd").node("n2", "disk=hdd");
                APPS.forEach(app -> stage.deployment(app, 1, ON_SSD));
                APPS.forEach(app -> scenarioRun.settle(stage, app, 1));
                scenarioRun.calm(stage.policy(ENFORCE));

                stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");

                APPS.forEach(app -> scenarioRun.until(
                        app + " runs on n2", () -> stage.places(app).equals(List.of("n2"))));
                assertThat(replica.operator().log())
                        .noneMatch(line -> line.contains("View lost")
                                && WRONG_CONTENT.matcher(line).find());
            }
        }
    }
}
