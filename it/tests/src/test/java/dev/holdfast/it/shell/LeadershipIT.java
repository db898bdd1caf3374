package dev.holdfast.it.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.config.LeaseSettings;
import dev.holdfast.operator.lead.Leadership;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Leader election of several replicas by a real Lease. */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class LeadershipIT {
    private static final Duration REQUEST = Duration.ofSeconds(3);

    /** The length of a lease that its holder keeps also on a busy machine. */
    private static final Duration KEPT = Duration.ofMinutes(1);

    private final ControlPlane controlPlane;
    private final KubernetesClient client;

    LeadershipIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        this.client =
                new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void theLeaseOfTheChartIsTakenKeptAndGivenBack() {
        client.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("given")
                        .addToLabels("app.kubernetes.io/name", "holdfast")
                        .endMetadata()
                        .build())
                .create();
        try (Leadership other = candidate(controlPlane.config(), "given", "other", KEPT)) {
            try (Leadership me = candidate(controlPlane.config(), "given", "me", KEPT)) {
                me.start();
                eventually().until(() -> me.allows(REQUEST));
                assertThat(lease("given").getSpec().getHolderIdentity()).isEqualTo("me");
                assertThat(lease("given").getMetadata().getLabels())
                        .isEqualTo(Map.of("app.kubernetes.io/name", "holdfast"));

                me.noteLedger("3/17");
                eventually()
                        .until(() -> Map.of("holdfast.dev/ledger", "3/17")
                                .equals(lease("given").getMetadata().getAnnotations()));

                other.start();
                String first = lease("given").getSpec().getRenewTime().toString();
                eventually()
                        .until(() -> !lease("given")
                                .getSpec()
                                .getRenewTime()
                                .toString()
                                .equals(first));
                assertThat(other.leads()).isFalse();
            }
            eventually().until(() -> other.allows(REQUEST));
            assertThat(other.notedLedger()).contains("3/17");
            assertThat(lease("given").getSpec().getLeaseTransitions()).isEqualTo(2);
        }
        assertThat(lease("given").getSpec().getHolderIdentity()).isEmpty();
    }

    @Test
    void aHolderThatIsCutOffStopsBeforeAnotherBegins() {
        try (TcpGate gate = new TcpGate(URI.create(controlPlane.config().getMasterUrl()));
                Leadership me = candidate(
                        new ConfigBuilder(controlPlane.config())
                                .withMasterUrl(gate.url())
                                .build(),
                        "made",
                        "me");
                Leadership other = candidate(controlPlane.config(), "made", "other")) {
            me.start();
            eventually().until(me::leads);
            other.start();

            gate.shut();

            eventually().pollInterval(Duration.ofMillis(5)).until(() -> {
                boolean mine = me.leads();
                assertThat(other.leads() && me.leads()).isFalse();
                return !mine && other.leads();
            });
        }
    }

    @Test
    void aLeaseThatMayNotBeReadIsNeverHeld() {
        Config withoutRights = new ConfigBuilder(controlPlane.config())
                .withImpersonateUsername("nobody")
                .build();
        try (Leadership powerless = candidate(withoutRights, "forbidden", "me");
                Leadership other = candidate(controlPlane.config(), "forbidden", "other")) {
            powerless.start();
            other.start();

            eventually().until(other::leads);
            assertThat(powerless.leads()).isFalse();
        }
    }

    private static Leadership candidate(Config connection, String lease, String identity) {
        return candidate(connection, lease, identity, Duration.ofSeconds(10));
    }

    private static Leadership candidate(Config connection, String lease, String identity, Duration duration) {
        LeaseSettings settings =
                new LeaseSettings("default", lease, duration, duration.minusSeconds(2), Duration.ofSeconds(1));
        SteadyClock clock = new SteadyClock(InstantSource.system(), System::nanoTime);
        return new Leadership(connection, settings, identity, () -> true, clock, _ -> {}, (_, death) -> {
            throw new AssertionError(death);
        });
    }

    private Lease lease(String name) {
        return client.leases().inNamespace("default").withName(name).require();
    }

    private static ConditionFactory eventually() {
        return await().atMost(TimeLimits.STATE).pollInterval(Duration.ofMillis(50));
    }
}
