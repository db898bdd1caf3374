package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests which of several pods of equal priority moves, if the move of one heals more than that of another. Both caches
 * are in zone b, so one of them must move to zone a; there a web pod needs the cache of tier gold.
 */
class BestFirstTest {
    private static final Instant OLD = EngineScenario.START.minusSeconds(9_000);

    private static PodTrait cache(String node, String tier, Instant creation) {
        return pod -> {
            on(node).of(pod);
            created(creation).of(pod);
            replicaOf("cache-" + tier).of(pod);
            labels("app", "cache", "tier", tier).of(pod);
            spread(TopologySpreadConstraint.of(1, ZONE, app("cache"))).of(pod);
        };
    }

    @Test
    void thePodWhoseMoveHealsTheRuleOfAnotherPodTooMovesThoughANewerPodComesFirst() {
        EngineScenario engineScenario =
                EngineScenario.begin(facts(), enforcing()).replacingOn("a1").afterSeconds(600);

        assertThat(engineScenario.evicted()).containsExactly("gold");
    }

    /** {@return the two caches, and the web pod that needs the one of tier gold} */
    private static ClusterBuilder facts(PodTrait... web) {
        PodTrait all = pod -> List.of(web).forEach(trait -> trait.of(pod));
        return cluster()
                .node("a1", zone("a"))
                .node("b1", zone("b"))
                .node("b2", zone("b"))
                .replicaSet("cache-gold", 1)
                .replicaSet("cache-tin", 1)
                .replicaSet("web", 1)
                .pod("gold", cache("b1", "gold", OLD))
                .pod("tin", cache("b2", "tin", OLD.plusSeconds(60)))
                .pod("web", on("a1"), replicaOf("web"), near(term(matchLabels("tier", "gold"), ZONE)), all);
    }

    @Test
    void aPodWhoseOwnMoveWouldHealLessWaitsForTheMoveThatHealsItsRuleToo() {
        EngineScenario engineScenario = EngineScenario.begin(facts(created(OLD.plusSeconds(120))), enforcing())
                .replacingOn("a1")
                .afterSeconds(600);

        assertThat(engineScenario.evicted()).containsExactly("gold");
    }

    @Test
    void aPodDoesNotWaitForAMoveThatHealsMoreButNotItsRule() {
        ClusterBuilder facts = facts().node("c1", zone("c"))
                .node("d1", zone("d"))
                .replicaSet("db", 1)
                .replicaSet("api", 1)
                .pod("db", on("d1"), replicaOf("db"), labels("app", "db"))
                .pod("api", on("c1"), replicaOf("api"), created(OLD.plusSeconds(120)), near(term(app("db"), ZONE)));
        OperatorLimits defaults = OperatorLimits.defaults();
        EngineScenario engineScenario = EngineScenario.begin(
                        EngineScenario.settings(new OperatorLimits(
                                1,
                                defaults.perHour(),
                                defaults.perNamespace(),
                                defaults.perNode(),
                                defaults.perWorkload())),
                        facts,
                        enforcing())
                .replacing(_ -> {})
                .afterSeconds(600);

        assertThat(engineScenario.evicted()).containsExactly("api");
    }
}
