package dev.holdfast.it.fault;

import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static dev.holdfast.it.scenario.StageDefaults.enforcing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.Replica;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests two replicas of which the leader's renewals reach the API server, and no answer about the lease comes back. It
 * still sees the cluster, and could evict.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(7)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SplitLeaseIT {
    /** The chart's {@code renewDeadlineSeconds}. */
    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);

    private final InstantSource clock = InstantSource.system();
    private final ControlPlane controlPlane = ControlPlane.start();
    private final AuditTrail trail = controlPlane.auditTrail();
    private final FaultProxy proxy = new FaultProxy(controlPlane);
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final InstalledChart chart = InstalledChart.install(controlPlane, "holdfast", "enforcement.enabled=true");

    @AfterAll
    void end() {
        proxy.close();
        client.close();
        controlPlane.close();
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what)
                .atMost(TimeLimits.STATE)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptions()
                .until(condition);
    }

    private Stage calm() {
        Stage stage = Stage.open(client, "split").node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        until("the pod runs", () -> stage.places("web").equals(List.of("n1")));
        stage.policy(enforcing(RENEW_DEADLINE.plusSeconds(2)));
        until("the policy is met", () -> stage.status("pods", "violating").equals(Optional.of(0)));
        return stage;
    }

    @Test
    void aLeaderThatHearsNothingAboutItsLeaseStopsBeforeTheStandbyActs() {
        try (Replica leader = Replica.start(controlPlane, chart, "leader", proxy.url())) {
            until("it leads", leader::leads);
            try (Replica standby = Replica.start(controlPlane, chart, "standby")) {
                until("the standby is ready", () -> standby.operator().isReady());
                Stage stage = calm();
                Instant cut;
                try (FaultProxy.Rule _ =
                        proxy.on(request -> request.target().contains("/leases/"), new ProxyFault.Stall())) {
                    cut = clock.instant();
                    // It is due after the leader had to stop, and before the standby leads.
                    stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
                    until(
                            "the standby leads",
                            () -> standby.leaseAfter(cut, trail).isPresent());
                    until("the pod has moved", () -> stage.outcomes().equals(List.of("Moved")));
                }

                assertThat(trail.evictions("split"))
                        .hasSize(1)
                        .allMatch(eviction -> eviction.token().equals(standby.token()));
                Instant taken = standby.leaseAfter(cut, trail).orElseThrow();
                assertThat(leader.actionsAfter(taken, trail)).isEmpty();
                assertThat(standby.actionsAfter(Instant.EPOCH, trail))
                        .allMatch(action -> action.received().isAfter(taken));
                assertThat(leader.operator().log())
                        .anyMatch(line -> line.contains("the lease was not renewed for 10 s"));
            }
        }
    }
}
