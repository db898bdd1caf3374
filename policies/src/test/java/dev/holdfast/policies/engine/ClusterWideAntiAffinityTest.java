package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a pod with required anti-affinity over all namespaces in a whole zone ({@code namespaceSelector: {}})
 * never makes pods of others move, whatever other rules these violate.
 */
class ClusterWideAntiAffinityTest {
    private static final Policy POLICY = everywhere(enforcing());

    private static ClusterBuilder zones() {
        return cluster()
                .node("a1", zone("a"), hostname("a1"), labels("disk", "hdd"))
                .node("a2", zone("a"), hostname("a2"), labels("disk", "hdd"))
                .node("b1", zone("b"), hostname("b1"), labels("disk", "ssd"));
    }

    /** {@return a cluster in which one of two pods must go, and either move heals both rules} */
    private static ClusterBuilder conflict() {
        return zones().replicaSet("web", 1)
                .replicaSet("db", 1)
                .pod("web-1", on("a1"), replicaOf("web"), apartFrom(term(app("db"), HOSTNAME)))
                .pod("db-1", on("a1"), replicaOf("db"), apartFrom(term(app("web"), HOSTNAME)));
    }

    /** Adds a pod of another namespace that lets no pod with these labels into zone a. */
    private static ClusterBuilder barringZone(ClusterBuilder facts, LabelSelector against) {
        return facts.pod(
                "barring-1",
                in("other"),
                on("a2"),
                replicaOf("barring"),
                priority(1_000),
                apartFrom(term(against, ZONE, namespaceSelector(selector()))));
    }

    private static EngineScenario after10Minutes(ClusterBuilder facts) {
        return EngineScenario.begin(facts, POLICY).afterSeconds(600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"web", "db"})
    void itDoesNotDecideWhichOfTwoPodsGoes(String against) {
        assertThat(after10Minutes(conflict()).evicted()).containsExactly("db-1");

        assertThat(after10Minutes(barringZone(conflict(), app(against))).evicted())
                .containsExactly("db-1");
    }

    @Test
    void aMoveThatBreaksAsManyOtherRulesAsItHealsIsStillHeld() {
        // The move of web-1 heals its own rule, and breaks that of helper-1. It would also heal that of barring-1.
        ClusterBuilder facts = zones().replicaSet("web", 1)
                .pod("web-1", on("a1"), replicaOf("web"), nodeSelector("disk", "ssd"))
                .pod("helper-1", on("a1"), replicaOf("helper"), near(term(app("web"), ZONE)));
        assertThat(after10Minutes(facts).report(POLICY).holds()).isEqualTo(Map.of(Reason.TRADES_VIOLATIONS, 1));

        EngineScenario engineScenario = after10Minutes(barringZone(facts, app("web")));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.report(POLICY).holds())
                .isEqualTo(Map.of(Reason.TRADES_VIOLATIONS, 1, Reason.UNTRUSTED_CAUSE, 1));
    }

    /** Two conflicts on two nodes: one pod of each goes at once, as the moves do not change each other's verdicts. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void itDoesNotMakeTheConflictsOfAZoneWaitForEachOther(boolean barred) {
        ClusterBuilder facts = zones().node("b2", zone("b"), hostname("b2"));
        for (String name : List.of("1", "2")) {
            facts.replicaSet("web" + name, 1)
                    .replicaSet("db" + name, 1)
                    .pod(
                            "web-" + name,
                            on("a" + name),
                            replicaOf("web" + name),
                            priority(5),
                            apartFrom(term(app("db" + name), HOSTNAME)))
                    .pod(
                            "db-" + name,
                            on("a" + name),
                            replicaOf("db" + name),
                            apartFrom(term(app("web" + name), HOSTNAME)));
        }

        EngineScenario engineScenario = EngineScenario.begin(barred ? barringZone(facts, selector()) : facts, POLICY)
                .scheduling()
                .afterSeconds(62);

        assertThat(engineScenario.evicted()).containsExactlyInAnyOrder("db-1", "db-2");
    }

    @Test
    void onlyItItselfGoesForItsOwnRule() {
        ClusterBuilder facts = barringZone(zones(), app("batch"))
                .replicaSet("barring", 1)
                .pod("batch-1", in("other"), on("a1"), replicaOf("batch"), priority(1))
                .pod("batch-2", on("a1"), replicaOf("batch"), priority(1));

        assertThat(after10Minutes(facts).evicted()).containsExactly("barring-1");
    }

    @Test
    void itStaysWithoutAnotherNodeSinceItsReplacementCouldPreemptOthers() {
        Policy insisting = everywhere(TestPolicies.insisting("web"));
        ClusterBuilder facts = barringZone(zones(), app("batch"))
                .replicaSet("barring", 1)
                .pod("batch-1", in("other"), on("a1"), replicaOf("batch"))
                .pod("batch-2", on("b1"), replicaOf("batch"));

        EngineScenario engineScenario = EngineScenario.begin(facts, insisting).afterSeconds(600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.report(insisting).holds()).isEqualTo(Map.of(Reason.INFEASIBLE, 1));
    }
}
