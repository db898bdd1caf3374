package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.inNamespaces;
import static dev.holdfast.policies.testing.Changes.acknowledged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.namespace;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no pod is evicted after the incremental index and the reference evaluators disagreed, which is a bug. */
class DistrustTest {
    private static final String DIFFERENCE =
            "pod shop/web-1, rule disk=ssd: evaluate says not Violated, the index" + " Violated, and its clock runs";

    /** A cluster state that shows the reference evaluators other nodes and namespaces than the index has. */
    private static final class Lying extends LiveCluster {
        private final Map<String, Node> lies = new HashMap<>();
        private final Map<String, Namespace> namespaceLies = new HashMap<>();

        Lying() {
            super(Set.of("kube-system"));
        }

        @Override
        public Optional<Namespace> namespace(String name) {
            return Optional.ofNullable(namespaceLies.get(name)).or(() -> super.namespace(name));
        }

        @Override
        public Optional<Node> node(String name) {
            return Optional.ofNullable(lies.get(name)).or(() -> super.node(name));
        }

        void lie(ClusterEvent event) {
            if (event instanceof ClusterEvent.NodeChanged(Node node)) {
                lies.put(node.name(), node);
            }
        }
    }

    private final Lying facts = new Lying();

    private EngineScenario broken() {
        return broken(EngineScenario.settings());
    }

    private EngineScenario broken(EngineSettings settings) {
        ClusterBuilder cluster = cluster()
                .node("n1", labels("disk", "ssd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"));
        return EngineScenario.begin(new Engine(settings, facts), cluster, enforcing())
                .happens(nodeChanged("n1", labels("disk", "hdd")));
    }

    @Test
    void whileBothAgreeAComparisonSaysNothingAndThePodIsEvicted() {
        EngineScenario engineScenario = broken().comparing(100).afterSeconds(61);

        assertThat(engineScenario.compared).isPositive();
        assertThat(engineScenario.difference).isEmpty();
        assertThat(engineScenario.requests).hasSize(1);
    }

    @Test
    void aDifferenceFoundBySamplingStopsAllEnforcementAndSaysSoOnEveryPolicy() {
        EngineScenario engineScenario = broken();
        facts.lie(nodeChanged("n1", labels("disk", "ssd")));
        engineScenario.comparing(100).afterSeconds(120);

        assertThat(engineScenario.difference).contains(DIFFERENCE);
        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.VERDICTS_DIFFER);
        assertThat(engineScenario.reports.values())
                .allSatisfy(report -> assertThat(report.verdictDifference()).contains("see the log of the operator"));
        assertThat(engineScenario.heldBecause())
                .contains(DIFFERENCE + ". Please report this bug. No pod is evicted until you acknowledge the failed"
                        + " check: kubectl annotate namespace holdfast --overwrite holdfast.dev/acknowledge=verdicts@");
    }

    private static String id(EngineScenario engineScenario) {
        String message = engineScenario.heldBecause();
        return message.substring(message.lastIndexOf('=') + 1);
    }

    @Test
    void aUserWhoAcknowledgesTheDifferenceLetsEvictionsGoOn() {
        EngineScenario engineScenario = broken();
        facts.lie(nodeChanged("n1", labels("disk", "ssd")));
        engineScenario.comparing(100).afterSeconds(120);
        facts.lies.clear();

        engineScenario.happens(acknowledged(id(engineScenario))).afterSeconds(1);

        assertThat(engineScenario.difference).isEmpty();
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aReplicaThatFoundADifferenceTooTakesOverTheIdThatUsersKnow() {
        Readiness readiness =
                new Readiness(new PlanSchedule(), BreakerSettings.defaults("holdfast"), new ChangeCounter());
        readiness.distrust("its own", EngineScenario.START);

        readiness.recall(Optional.empty());
        assertThat(readiness.distrust()).contains("its own");
        readiness.recall(Optional.of(new RememberedBrakes.Opening("verdicts@known", "that of the leader")));
        assertThat(readiness.distrust()).contains("that of the leader");
        assertThat(readiness.acknowledge(Set.of("verdicts@known"))).isTrue();
        assertThat(readiness.distrust()).isEmpty();
    }

    @Test
    void aRestartDoesNotEndTheDistrust() {
        EngineSettings settings = EngineScenario.settings().withLedger();
        EngineScenario before = broken(settings);
        facts.lie(nodeChanged("n1", labels("disk", "ssd")));
        before.comparing(100).afterSeconds(120);

        EngineScenario after = before.restarted(settings).afterSeconds(120);

        assertThat(after.requests).isEmpty();
        assertThat(after.held()).isEqualTo(Reason.VERDICTS_DIFFER);
        after.happens(acknowledged(id(before))).afterSeconds(1);
        assertThat(after.evicted()).containsExactly("web-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"n1", "n2"})
    void comparingOnePodAfterTheOtherFindsTheWrongOneWhicheverItIs(String wrong) {
        EngineScenario engineScenario = EngineScenario.begin(
                new Engine(EngineScenario.settings(), facts),
                cluster()
                        .node("n1", labels("disk", "ssd"))
                        .node("n2", labels("disk", "ssd"))
                        .pod("web-1", on("n1"), nodeSelector("disk", "ssd"))
                        .pod("web-2", on("n2"), nodeSelector("disk", "ssd")),
                enforcing());
        facts.lie(nodeChanged(wrong, labels("disk", "hdd")));
        for (int i = 0; i < 64; i++) {
            engineScenario.comparing(1);
        }

        assertThat(engineScenario.difference).isPresent();
    }

    @Test
    void aPolicyThatTheIndexLetsSelectOtherPodsIsADifference() {
        Policy policy = inNamespaces(matchLabels("team", "red"), everywhere(enforcing()));
        EngineScenario engineScenario = EngineScenario.begin(
                new Engine(EngineScenario.settings(), facts),
                cluster().namespace("shop", labels("team", "red")).node("n1").pod("web-1", on("n1")),
                policy);
        facts.namespaceLies.put("shop", namespace("shop", labels("team", "blue")));
        engineScenario.comparing(100);

        assertThat(engineScenario.difference)
                .contains("policy web does not select pod shop/web-1, but the index says the opposite");
    }

    @Test
    void aDifferenceIsPublishedThoughNothingElseHappens() {
        EngineScenario engineScenario = broken();
        engineScenario.afterSeconds(30);
        facts.lie(nodeChanged("n1", labels("disk", "ssd")));
        engineScenario.comparing(100).after(Duration.ofMillis(1));

        assertThat(engineScenario.report(enforcing()).verdictDifference()).contains("see the log of the operator");
    }

    @Test
    void aDifferenceFoundRightBeforeARequestStopsAllEnforcement() {
        EngineScenario engineScenario = broken();
        facts.lie(nodeChanged("n1", labels("disk", "ssd")));
        // The API server agrees with the lie, so that the contents do not differ.
        engineScenario.happensUnseen(nodeChanged("n1", labels("disk", "ssd")));
        engineScenario.afterSeconds(61);

        assertThat(engineScenario.reads).hasSize(1);
        assertThat(engineScenario.dryRuns).isEmpty();
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.difference).contains(DIFFERENCE);
        assertThat(engineScenario.held()).isEqualTo(Reason.VERDICTS_DIFFER);
    }

    @Test
    void enforcementStaysStoppedWhenTheTwoAgreeAgain() {
        EngineScenario engineScenario = broken();
        facts.lie(nodeChanged("n1", labels("disk", "ssd")));
        engineScenario.comparing(100);
        facts.lies.clear();
        engineScenario.comparing(100).afterSeconds(600);

        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.VERDICTS_DIFFER);
    }
}
