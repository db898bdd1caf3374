package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests what happens if every node loses its zone label at once, so that every one of 2,000 pods breaks a rule. */
class ZoneLostTest {
    private static final int NODES = 40;
    private static final int PODS_PER_NODE = 50;

    private static String zoneOf(int node) {
        return List.of("a", "b", "c").get(node % 3);
    }

    private static EngineScenario running() {
        ClusterBuilder facts = cluster();
        for (int node = 0; node < NODES; node++) {
            facts.node("n" + node, zone(zoneOf(node)));
            for (int pod = 0; pod < PODS_PER_NODE; pod++) {
                String workload = "web-" + pod;
                facts.pod(
                        workload + "-" + node,
                        on("n" + node),
                        nodeSelector(ZONE, zoneOf(node)),
                        ownedBy("ReplicaSet", workload, workload));
            }
        }
        return EngineScenario.begin(facts, enforcing());
    }

    private static List<String> turns(EngineScenario engineScenario) {
        return engineScenario.turns.stream()
                .filter(report -> report.reason() == Reason.LABEL_BREAKER)
                .map(report -> report.change() + " " + ((BreakerScope.NodeLabel) report.scope()).key())
                .toList();
    }

    @Test
    void nothingIsEvictedTheLabelBreakerOpensAndItClosesWhenTheLabelIsBack() {
        EngineScenario engineScenario = running();
        for (int node = 0; node < NODES; node++) {
            engineScenario.happens(nodeChanged("n" + node, labels("cpu", "new")));
        }
        engineScenario.after(Duration.ofMinutes(30));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(turns(engineScenario)).containsExactly("OPENED " + ZONE);
        PolicyReport lost = engineScenario.report(enforcing());
        assertThat(lost.pods()).isEqualTo(new PolicyReport.Pods(2_000, 2_000, 2_000, 2_000));
        assertThat(lost.oldest()).hasSize(20);

        for (int node = 0; node < NODES; node++) {
            engineScenario.happens(nodeChanged("n" + node, zone(zoneOf(node))));
        }
        engineScenario.after(Duration.ofMinutes(30));

        assertThat(turns(engineScenario)).containsExactly("OPENED " + ZONE, "HEALED " + ZONE);
        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.report(enforcing()).pods()).isEqualTo(new PolicyReport.Pods(2_000, 0, 0, 0));
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of());
    }
}
