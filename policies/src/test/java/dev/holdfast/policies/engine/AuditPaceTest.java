package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how often audited violations are planned: n1 lost the label that pods of the Deployment web need. */
class AuditPaceTest {
    private static ClusterBuilder broken() {
        return cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 2)
                .pod("web-1", web())
                .pod("web-2", on("n2"), replicaOf("web"));
    }

    private static PodTrait web() {
        return pod -> {
            on("n1").of(pod);
            replicaOf("web").of(pod);
            nodeSelector("disk", "ssd").of(pod);
        };
    }

    /** {@return the scenario in which web-1 would be evicted since a plan that was just made} */
    private static EngineScenario wouldEvict(ClusterBuilder facts) {
        EngineScenario engineScenario = EngineScenario.begin(facts, auditing()).afterSeconds(60);
        assertThat(engineScenario.events()).containsExactly("Started web-1", "WouldEvict web-1");
        return engineScenario;
    }

    private static EngineScenario disturbed(EngineScenario engineScenario) {
        return engineScenario.happens(podChanged("web-2", on("n2"), replicaOf("web"), notReady()));
    }

    /** Adds pods that violate nothing. */
    private static ClusterBuilder withOthers(ClusterBuilder facts, int pods) {
        facts.node("n3", labels("disk", "hdd"));
        for (int i = 0; i < pods; i++) {
            facts.pod("other-" + i, on("n3"));
        }
        return facts;
    }

    @Test
    void aChangeOfAPodIsShownAfterTenSeconds() {
        EngineScenario engineScenario = disturbed(wouldEvict(broken()));

        assertThat(engineScenario.afterSeconds(9).events()).hasSize(2);
        assertThat(engineScenario.afterSeconds(1).events()).endsWith("Held web-1 WorkloadUnsettled");
    }

    @Test
    void aChangeOfAPolicyIsShownAfterOneSecond() {
        EngineScenario engineScenario = disturbed(wouldEvict(broken()));

        engineScenario.event(new Event.PolicyChanged(TestPolicies.edited(auditing())));

        assertThat(engineScenario.after(Duration.ofMillis(999)).events()).hasSize(2);
        assertThat(engineScenario.after(Duration.ofMillis(1)).events()).endsWith("Held web-1 WorkloadUnsettled");
    }

    @Test
    void among30000PodsAChangeOfAPodIsShownAfterTwelveSeconds() {
        EngineScenario engineScenario = disturbed(wouldEvict(withOthers(broken(), 30_000)));

        assertThat(engineScenario.afterSeconds(11).events()).hasSize(2);
        assertThat(engineScenario.afterSeconds(1).events()).endsWith("Held web-1 WorkloadUnsettled");
    }

    @Test
    void among100000PodsAChangeOfAPolicyIsShownAfterTwoSeconds() {
        EngineScenario engineScenario = disturbed(wouldEvict(withOthers(broken(), 100_000)));

        engineScenario.event(new Event.PolicyChanged(TestPolicies.edited(auditing())));

        assertThat(engineScenario.afterSeconds(1).events()).hasSize(2);
        assertThat(engineScenario.afterSeconds(1).events()).endsWith("Held web-1 WorkloadUnsettled");
    }
}
