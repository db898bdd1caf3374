package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the outcomes of moves for one of several rules that the scheduler does not know. The replacements land where
 * they break another rule.
 */
class SwappedRulesTest {
    private static final Duration LONG = Duration.ofHours(8);

    private static Policy requiring(String name, Mode mode, String... keys) {
        Enforcement enforcement = new Enforcement(mode, TestPolicies.FORGIVENESS, WhenInfeasible.WAIT);
        Policy plain = TestPolicies.enforcing();
        return PolicyDraft.of(PolicyId.namespaced("shop", name), Mode.ENFORCE)
                .pods(plain.pods())
                .rules(Arrays.stream(keys)
                        .map(key -> new Policy.NamedRule("rule-" + key, nodeSelectorRule(key, "yes"), enforcement))
                        .toList())
                .policy();
    }

    private static Policy requiring(String... keys) {
        return requiring("web", Mode.ENFORCE, keys);
    }

    /**
     * {@return nodes a, b, c and so on that each satisfy one rule, node all that satisfies all, and one pod on node a}
     */
    private static ClusterBuilder facts() {
        return cluster()
                .node("a", labels("a", "yes"))
                .node("b", labels("b", "yes"))
                .node("none", labels())
                .node("two", labels("a", "yes", "b", "yes"))
                .node("all", labels("a", "yes", "b", "yes", "c", "yes"))
                .replicaSet("web", 1)
                .pod("web-1", on("a"), replicaOf("web"));
    }

    private static EngineScenario swaps(EngineScenario engineScenario, Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusSeconds(60)) {
            engineScenario
                    .replacingOn(engineScenario.requests.size() % 2 == 0 ? "b" : "a")
                    .afterSeconds(60);
        }
        return engineScenario;
    }

    private static List<String> outcomes(EngineScenario engineScenario) {
        return engineScenario.events().stream()
                .filter(event -> event.startsWith("Moved"))
                .map(event -> event.substring(event.lastIndexOf(' ') + 1))
                .toList();
    }

    @Test
    void aPodThatBreaksOneRuleInsteadOfAnotherIsMovedFiveTimesForBothRules() {
        EngineScenario engineScenario = swaps(EngineScenario.begin(facts(), requiring("a", "b")), LONG);

        assertThat(outcomes(engineScenario))
                .containsExactly("BROKEN_AGAIN", "BROKEN_AGAIN", "BROKEN_AGAIN", "BROKEN_AGAIN", "BROKEN_AGAIN");
        assertThat(engineScenario.held()).isEqualTo(Reason.ENFORCEMENT_FUTILE);
        assertThat(engineScenario.heldBecause())
                .startsWith("pods of Deployment shop/web were moved 5 times in a row without success: the replacement"
                        + " landed on b and broke rule-a, then landed on a and broke rule-b, then landed on b and broke"
                        + " rule-a,");
    }

    @Test
    void itIsTheSameForTwoPolicies() {
        EngineScenario engineScenario = swaps(
                EngineScenario.begin(
                        facts(), requiring("first", Mode.ENFORCE, "a"), requiring("second", Mode.ENFORCE, "b")),
                LONG);

        assertThat(engineScenario.requests).hasSize(5);
    }

    @Test
    void anAuditedRuleThatTheReplacementBreaksDoesNotCount() {
        EngineScenario engineScenario = swaps(
                EngineScenario.begin(
                        facts(), requiring("first", Mode.AUDIT, "a"), requiring("second", Mode.ENFORCE, "b")),
                LONG);

        assertThat(outcomes(engineScenario)).containsExactly("MOVED");
    }

    @Test
    void oneHealedRuleOfThreeIsASuccess() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("a", labels("a", "yes"))
                                .node("none", labels())
                                .node("all", labels("a", "yes", "b", "yes", "c", "yes"))
                                .replicaSet("web", 1)
                                .pod("web-1", on("none"), replicaOf("web")),
                        requiring("a", "b", "c"))
                .replacingOn("a")
                .after(LONG);

        assertThat(outcomes(engineScenario))
                .containsExactly(
                        "MOVED", "BROKEN_AGAIN", "BROKEN_AGAIN", "BROKEN_AGAIN", "BROKEN_AGAIN", "BROKEN_AGAIN");
        assertThat(engineScenario.held()).isEqualTo(Reason.ENFORCEMENT_FUTILE);
    }

    @Test
    void aRuleOfAPolicyThatIsCreatedDuringTheMoveIsNotItsFault() {
        EngineScenario engineScenario =
                EngineScenario.begin(facts(), requiring("a", "b")).replacingOn("two");
        engineScenario.answeringLate().afterSeconds(60);
        engineScenario.event(new Event.PolicyChanged(requiring("later", Mode.ENFORCE, "c")));
        engineScenario.answeringAgain().afterSeconds(600);

        assertThat(outcomes(engineScenario)).first().isEqualTo("MOVED");
    }

    @Test
    void aTrivialEditResetsNeitherTheTriesNorTheRounds() {
        EngineScenario engineScenario = swaps(EngineScenario.begin(facts(), requiring("a", "b")), Duration.ofHours(2));
        assertThat(engineScenario.requests).hasSize(5);

        engineScenario.event(new Event.PolicyChanged(TestPolicies.edited(requiring("b", "a"))));
        swaps(engineScenario, Duration.ofHours(2));
        engineScenario
                .event(new Event.PolicyRemoved(requiring("a", "b").id()))
                .event(new Event.PolicyChanged(requiring("renamed", Mode.ENFORCE, "b", "a")));
        swaps(engineScenario, Duration.ofHours(4));

        assertThat(engineScenario.requests).hasSize(5);
        assertThat(engineScenario.held()).isEqualTo(Reason.ENFORCEMENT_FUTILE);
    }

    @Test
    void anEditOfARuleAllowsFiveMoreTries() {
        EngineScenario engineScenario = swaps(EngineScenario.begin(facts(), requiring("a", "b")), Duration.ofHours(2));

        engineScenario.event(new Event.PolicyChanged(TestPolicies.edited(requiring("a", "b", "c"))));
        swaps(engineScenario, Duration.ofHours(4));

        assertThat(engineScenario.requests.size()).isGreaterThan(5);
    }

    @Test
    void aRestartKnowsTheTriesAndTheRulesOfAMoveInFlight() {
        EngineSettings settings = EngineScenario.settings().withLedger();
        EngineScenario engineScenario = EngineScenario.begin(settings, facts(), requiring("a", "b"));
        swaps(engineScenario, Duration.ofMinutes(15));
        engineScenario.replacingOn("b", notReady()).afterSeconds(120);
        assertThat(outcomes(engineScenario)).hasSize(2);
        assertThat(engineScenario.requests).hasSize(3);

        EngineScenario next = engineScenario.restarted(settings);
        next.happens(podChanged("web-1-r1-r2-r3", on("b"), replicaOf("web"))).afterSeconds(60);
        assertThat(outcomes(next)).containsExactly("BROKEN_AGAIN");
        swaps(next.replacingOn("a"), LONG);

        assertThat(engineScenario.requests.size() + next.requests.size()).isEqualTo(5);
    }

    @Test
    void aSuccessThatLeavesNoRuleOfTheFutileMovesBrokenEndsTheStreak() {
        EngineScenario engineScenario =
                swaps(EngineScenario.begin(facts(), requiring("a", "b")), Duration.ofMinutes(10));
        assertThat(outcomes(engineScenario)).containsExactly("BROKEN_AGAIN", "BROKEN_AGAIN");

        engineScenario.replacingOn("all").after(Duration.ofHours(1));
        engineScenario
                .happens(nodeChanged("all", labels("b", "yes")))
                .replacingOn("a")
                .afterSeconds(600);

        assertThat(outcomes(engineScenario)).contains("MOVED");
        assertThat(engineScenario.engine.remembered()).isPositive();
    }
}
