package dev.holdfast.policies.engine.eviction;

import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.namespaceGone;
import static dev.holdfast.policies.testing.Facts.labels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.breaker.Tenants;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.state.Decisions;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.engine.state.PlannerMemory;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.plan.move.FutileRules;
import dev.holdfast.policies.plan.move.FutileStreak;
import dev.holdfast.policies.plan.move.MoveHistory;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests when a rule is given up for a tenant. Three workloads of namespace a and two of b have five futile moves each.
 */
class FutilityResetsTest {
    private static final Instant NOW = EngineScenario.START;
    private static final RuleIdentity RULE = new RuleIdentity("0123456789abcdef");

    private final LiveCluster cluster = new LiveCluster(Set.of());
    private final MoveHistory history;
    private final FutilityResets futilityResets;

    FutilityResetsTest() {
        BreakerSettings settings = new BreakerSettings("holdfast", 20, 3, 5, 50, Optional.of("team"));
        ChangeCounter changes = new ChangeCounter();
        PlanSchedule schedule = new PlanSchedule();
        Readiness readiness = new Readiness(schedule, settings, changes);
        Breakers breakers = new Breakers(cluster, settings, OperatorLimits.defaults(), changes);
        ViolationBook book = new ViolationBook(
                new RequestedRules(cluster, readiness, ""),
                readiness,
                new PlannerMemory(cluster),
                breakers.policyBacklogs(),
                schedule);
        MovesInFlight moves = new MovesInFlight(
                cluster, new Decisions(cluster, book, schedule), schedule, changes, new Tenants(cluster, settings));
        history = moves.history();
        futilityResets = new FutilityResets(cluster, moves, breakers.outcome(), settings.teamLabel());
        IntStream.rangeClosed(1, 3).forEach(i -> failsFiveTimes("a", "web-" + i));
        IntStream.rangeClosed(1, 2).forEach(i -> failsFiveTimes("b", "api-" + i));
    }

    private void failsFiveTimes(String namespace, String name) {
        Workload workload = new Workload(name, "Deployment", new NamespacedName(namespace, name));
        for (int i = 1; i <= 5; i++) {
            history.failed(
                    new MoveHistory.Owner(namespace, name),
                    workload,
                    new FutileStreak.FutileMove(
                            NOW.minusSeconds(9_000), PolicyId.cluster("all"), RULE, "landed badly"));
        }
    }

    private void happens(ClusterEvent fact) {
        futilityResets.beforeChange(fact, NOW);
        cluster.apply(fact);
    }

    private Optional<FutileRules.FutileRule> givenUp() {
        return history.futileRules().of(RULE, "a");
    }

    @Test
    void aRuleIsGivenUpForATenantWhenALabelMakesFiveWorkloadsItsOwn() {
        happens(namespaceChanged("a", labels("team", "shop")));
        assertThat(givenUp()).isEmpty();

        happens(namespaceChanged("b", labels("team", "shop")));

        assertThat(givenUp().orElseThrow().tenant()).contains("tenant shop");
    }

    @Test
    void anotherLabelOfANamespaceDoesNotLetTheRulesBeComputedAgain() {
        happens(namespaceChanged("a", labels("team", "shop")));
        happens(namespaceChanged("b", labels("team", "shop")));
        FutileRules.FutileRule before = history.futileRules().of(RULE, "a").orElseThrow();

        happens(namespaceChanged("b", labels("team", "shop", "tier", "front")));

        assertThat(history.futileRules().of(RULE, "a").orElseThrow()).isSameAs(before);
    }

    @Test
    void aRuleIsNotGivenUpAnyMoreWhenALabelLeavesATenantFewerThanFive() {
        happens(namespaceChanged("a", labels("team", "shop")));
        happens(namespaceChanged("b", labels("team", "shop")));
        assertThat(givenUp()).isPresent();

        happens(namespaceChanged("b", labels("team", "bank")));

        assertThat(givenUp()).isEmpty();
    }

    @Test
    void aRuleIsNotGivenUpAnyMoreWhenANamespaceOfTheTenantIsGone() {
        happens(namespaceChanged("a", labels("team", "shop")));
        happens(namespaceChanged("b", labels("team", "shop")));
        assertThat(givenUp()).isPresent();

        happens(namespaceGone("b"));

        assertThat(givenUp()).isEmpty();
    }
}
