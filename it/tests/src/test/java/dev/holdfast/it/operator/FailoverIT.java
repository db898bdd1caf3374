package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static dev.holdfast.it.scenario.StageDefaults.enforcing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorLaunch;
import dev.holdfast.it.scenario.Replica;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests that a standby takes over from a leader that dies, ends or hangs: with its brakes, limits and clocks, and
 * without a moment in which both act. The log of the test says how long each takeover took. {@code it/upgrade} runs it
 * with two versions: the first one leads first and third, so one takeover is an upgrade and one a downgrade.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(5)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailoverIT {
    private static final Logger LOG = LoggerFactory.getLogger(FailoverIT.class);

    /** Long enough that also a slow test ends the leader before the pod is due. */
    private static final Duration FORGIVENESS = Duration.ofSeconds(75);

    private static final Duration OBSERVED = Duration.ofSeconds(30);

    /** Longer than until a clock is in the ledger and the next leader has read it, and shorter than OBSERVED. */
    private static final Duration UNRECORDED = Duration.ofSeconds(25);

    /**
     * The test may freeze the leader this much later on a busy machine. A leader that hangs after it has recorded a
     * move leaves the standby to wait for minutes, since the eviction may have been requested.
     */
    private static final Duration LONG_ENOUGH_TO_HANG = Duration.ofSeconds(60);

    /** Shorter than the lease, which the old leader may take when it has seen no renewal for so long. */
    private static final Duration IDLE = Duration.ofSeconds(8);

    private static final Pattern BREAKER = Pattern.compile("BreakerOpened.*?(rack@\\w+)");

    private final InstantSource clock = InstantSource.system();
    private final ControlPlane controlPlane = ControlPlane.start();
    private final AuditTrail trail = controlPlane.auditTrail();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final InstalledChart chart = InstalledChart.install(
            controlPlane, "holdfast", "enforcement.enabled=true", "config.replacementMinReadySeconds=0");
    private final ScenarioRun scenarioRun = new ScenarioRun(client, trail, chart.user());

    @AfterAll
    void end() {
        client.close();
        controlPlane.close();
    }

    private Replica start(String name) {
        return start(name, OperatorLaunch.likeThisJvm());
    }

    /**
     * {@return how to start a replica of the version with which this one shares the ledger; without one, of this
     * version}
     */
    private static OperatorLaunch otherVersion() {
        return Optional.ofNullable(System.getProperty("holdfast.other.classpath"))
                .map(OperatorLaunch.likeThisJvm()::withClassPath)
                .orElseGet(OperatorLaunch::likeThisJvm);
    }

    private Replica start(String name, OperatorLaunch launch) {
        Replica replica = Replica.start(controlPlane, chart, name, launch);
        await(name + " is ready")
                .atMost(TimeLimits.STATE)
                .until(() -> replica.operator().isReady());
        return replica;
    }

    private Replica leader(String name, OperatorLaunch launch) {
        Replica replica = start(name, launch);
        scenarioRun.until(name + " leads", replica::leads);
        return replica;
    }

    /** A stage with two pods, of which one may be evicted in an hour. */
    private Stage oneAnHour(String name, Duration forgiveness) {
        Stage stage = scenarioRun.stage(name).node("n1", "disk=ssd").node("n2", "disk=hdd");
        List.of("web-1", "web-2").forEach(app -> stage.deployment(app, 1, ON_SSD));
        List.of("web-1", "web-2").forEach(app -> scenarioRun.settle(stage, app, 1));
        scenarioRun.calm(stage.policy("""
            mode: Enforce
            podSelector: {}
            limits: {minReplicas: 0, maxEvictionsPerHour: 1}
            forgivenessSeconds: %s
            """.formatted(forgiveness.toSeconds())));
        return stage;
    }

    private void breakRule(Stage stage) {
        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
    }

    private Stage calm(String name) {
        Stage stage = scenarioRun.stage(name).node("n1", "shelf=a").node("n2", "shelf=b");
        stage.deployment("web", 1, "nodeSelector: {pool: $NS, shelf: a}");
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(enforcing(FORGIVENESS)));
        return stage;
    }

    /** A violation: when its rule broke, and when both replicas had seen that. */
    private record Breach(Instant broken, Instant seen) {}

    /** Breaks the rule of a stage, and returns after both replicas have observed that for a while. */
    private Breach broken(Stage stage, Replica leader, Replica standby) {
        Instant broken = clock.instant();
        stage.label("n2", "shelf", "a").label("n1", "shelf", "b");
        scenarioRun.until("both replicas see it", () -> sees(leader, stage) && sees(standby, stage));
        Instant seen = clock.instant();
        scenarioRun.until("it was observed for 30 s", () -> clock.instant().isAfter(seen.plus(OBSERVED)));
        return new Breach(broken, seen);
    }

    private static boolean sees(Replica replica, Stage stage) {
        return replica.operator().log().stream()
                .anyMatch(line -> line.contains("\"decision\":\"Started\"")
                        && line.contains("\"policy\":\"" + stage.namespace() + "/keep\""));
    }

    private static String breakerOf(Replica replica) {
        Matcher id = BREAKER.matcher(String.join("\n", replica.operator().log()));
        assertThat(id.find()).as("the log names the id of the breaker").isTrue();
        return id.group(1);
    }

    /**
     * The pod leaves once, after its forgiveness and when the standby leads, and the time before the takeover counts.
     */
    private void takesOver(String how, Replica standby, Stage stage, Breach breach, Instant ended) {
        scenarioRun.until(
                "the standby leads", () -> standby.leaseAfter(ended, trail).isPresent());
        Instant taken = standby.leaseAfter(ended, trail).orElseThrow();
        scenarioRun.moved(stage, 1);
        List<AuditRecord> evictions = scenarioRun.evictions(stage);
        Instant evicted = evictions.getFirst().received();
        LOG.warn(
                "{}: the standby led after {} ms and evicted after {} ms",
                how,
                Duration.between(ended, taken).toMillis(),
                Duration.between(ended, evicted).toMillis());

        assertThat(evictions).hasSize(1).allMatch(it -> it.token().equals(standby.token()));
        assertThat(evicted)
                .as("not early")
                .isAfterOrEqualTo(breach.broken().plus(FORGIVENESS))
                .isAfter(taken);
        assertThat(standby.operator().deadlineOfEviction(stage.namespace()))
                .as("the time before the takeover counts")
                .isBefore(breach.seen()
                        .plus(FORGIVENESS)
                        .plus(Duration.between(ended, taken))
                        .plus(UNRECORDED));
    }

    private void hasMoved(Stage stage, int pods) {
        assertThat(scenarioRun.evictions(stage)).as(stage.namespace()).hasSize(pods);
    }

    @Test
    void aStandbyTakesOverWhatALeaderKnewThatIsKilledEndsOrHangs() {
        OperatorLaunch other = otherVersion();
        try (Replica first = leader("first", other);
                Replica second = start("second")) {
            Stage frozen = scenarioRun.behindAnOpenLabelBreaker("frozen");
            String breaker = breakerOf(first);
            Stage spent = oneAnHour("spent", Duration.ofSeconds(3));
            breakRule(spent);
            scenarioRun.moved(spent, 1);

            Stage killed = calm("killed");
            Breach breach = broken(killed, first, second);
            Instant ended = clock.instant();
            first.kill();
            takesOver("kill -9", second, killed, breach, ended);
            assertThat(second.operator().log())
                    .anyMatch(line -> line.contains("BreakerTakenOver") && line.contains(breaker))
                    .noneMatch(line -> line.contains("BreakerOpened"));
            hasMoved(frozen, 0);
            hasMoved(spent, 1);

            try (Replica third = start("third", other)) {
                Stage stopped = calm("stopped");
                Breach next = broken(stopped, second, third);
                Instant stopping = clock.instant();
                assertThat(second.operator().stop())
                        .as("exit code after SIGTERM")
                        .isZero();
                takesOver("SIGTERM", third, stopped, next, stopping);
                hasMoved(frozen, 0);
                hasMoved(spent, 1);

                try (Replica fourth = start("fourth")) {
                    aLeaderThatHangsActsNoMoreWhenItGoesOn(third, fourth);
                }
            }
            hasMoved(frozen, 0);
            hasMoved(spent, 1);
        }
    }

    /**
     * The leader hangs before two pods are due, of which one may be evicted. When it goes on, it does not know that the
     * standby has evicted one. The standby hangs then, so what is asked for comes from the old leader.
     */
    private void aLeaderThatHangsActsNoMoreWhenItGoesOn(Replica leader, Replica standby) {
        Stage stage = oneAnHour("hanging", LONG_ENOUGH_TO_HANG);
        breakRule(stage);
        scenarioRun.until("the leader sees it", () -> sees(leader, stage));
        leader.freeze();
        scenarioRun.moved(stage, 1);
        assertThat(scenarioRun.evictions(stage)).allMatch(it -> it.token().equals(standby.token()));

        standby.freeze();
        Instant resumed = clock.instant();
        leader.resume();
        scenarioRun.until(
                "the old leader looks at the lease",
                () -> !leader.requestsAfter(resumed, trail).isEmpty());
        Instant idleUntil =
                leader.requestsAfter(resumed, trail).getFirst().received().plus(IDLE);
        scenarioRun.until(
                "it has looked at the lease until then",
                () -> !leader.requestsAfter(idleUntil, trail).isEmpty());
        assertThat(leader.actionsAfter(resumed, trail))
                .as("what it does while the standby has the lease")
                .noneMatch(action -> action.received().isBefore(idleUntil));
        assertThat(leader.leaseAfter(resumed, trail).filter(idleUntil::isAfter)).isEmpty();
        standby.resume();
        hasMoved(stage, 1);
    }
}
