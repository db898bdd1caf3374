package dev.holdfast.policies.engine.status;

import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Policies of three namespaces, each with one rule that matches no pod. A rule costs 10, and 100 pods of a namespace
 * cost 200: each is read, and each has the label.
 */
class PolicyEffectsTest {
    private static final int COST = 210;
    private static final Enforcement AUDIT = new Enforcement(Mode.AUDIT, Duration.ofHours(1), WhenInfeasible.WAIT);
    private static final Instant START = Instant.EPOCH;
    private static final List<String> NAMESPACES = List.of("a", "b", "c");

    private final LiveCluster cluster = new LiveCluster(Set.of());
    private final List<Policy> policies =
            NAMESPACES.stream().map(PolicyEffectsTest::policy).toList();

    PolicyEffectsTest() {
        for (String namespace : NAMESPACES) {
            for (int i = 0; i < 100; i++) {
                cluster.apply(podChanged(namespace + i, in(namespace), labels("app", "web-" + i)));
            }
        }
        policies.forEach(cluster.index()::put);
    }

    private static Policy policy(String namespace) {
        return PolicyDraft.of(PolicyId.namespaced(namespace, "own"), Mode.AUDIT)
                .podRules(Map.of())
                .rules(List.of(new Policy.NamedRule("near", affinityRule(term(app("cache"), ZONE)), AUDIT)))
                .policy();
    }

    private PolicyEffects searching(long mostExamined) {
        PolicyEffects effects = new PolicyEffects(cluster, mostExamined);
        effects.changed();
        return effects;
    }

    private void searchIn(int minute, PolicyEffects effects) {
        effects.update(policies, START.plus(Duration.ofMinutes(minute)));
    }

    /** {@return the namespaces of the policies whose rule was examined, and found to do nothing} */
    private String examined(PolicyEffects effects) {
        return policies.stream()
                .filter(policy -> effects.of(policy.id()).isNone())
                .map(policy -> policy.id().namespace().orElseThrow())
                .collect(Collectors.joining());
    }

    /** {@return the namespaces of the policies whose rule was not examined} */
    private String unknown(PolicyEffects effects) {
        return policies.stream()
                .filter(policy -> effects.of(policy.id()).isUnknown())
                .map(policy -> policy.id().namespace().orElseThrow())
                .collect(Collectors.joining());
    }

    @Test
    void whatOnePolicyLeavesIsForTheNext() {
        PolicyEffects effects = searching(4 * COST);

        searchIn(0, effects);

        assertThat(examined(effects)).isEqualTo("abc");
        assertThat(effects.nextLook()).as("nothing changed").isEmpty();
    }

    @Test
    void policiesTakeTurnsAndKeepWhatWasFound() {
        PolicyEffects effects = searching(2 * COST);

        searchIn(0, effects);
        assertThat(examined(effects)).as("the first gets half").isEqualTo("a");
        assertThat(unknown(effects)).isEqualTo("bc");
        assertThat(effects.nextLook()).contains(START.plus(Duration.ofMinutes(1)));

        searchIn(1, effects);
        assertThat(examined(effects)).as("the turn of b").isEqualTo("ab");

        searchIn(2, effects);
        assertThat(examined(effects)).as("the turn of c").isEqualTo("abc");
    }

    @Test
    void aRuleThatIsTooLargeForItsTurnIsNotExamined() {
        PolicyEffects effects = searching(COST - 1);

        for (int minute = 0; minute < 6; minute++) {
            searchIn(minute, effects);
            assertThat(unknown(effects)).isEqualTo("abc");
        }
    }

    @Test
    void anAnswerThatBecameTooExpensiveIsDroppedInItsTurn() {
        PolicyEffects effects = searching(2 * COST);
        for (int minute = 0; minute < 3; minute++) {
            searchIn(minute, effects);
        }
        cluster.apply(podChanged("more", in("b"), labels("app", "web")));
        effects.changed();

        searchIn(3, effects);
        assertThat(unknown(effects)).as("the turn of a").isEmpty();
        searchIn(4, effects);
        assertThat(unknown(effects)).as("the turn of b").isEqualTo("b");
        searchIn(5, effects);
        assertThat(unknown(effects)).as("the turn of c").isEqualTo("b");
    }

    /** The rule costs 10, its key one node, and its selector one set of labels and one pod, which it matches. */
    @Test
    void aSpreadInAClusterOfOneDomainIsJudgedOnceForAllNamespaces() {
        LiveCluster oneZone = new LiveCluster(Set.of());
        oneZone.apply(nodeChanged("n1", zone("a")));
        for (int i = 0; i < 250; i++) {
            oneZone.apply(podChanged("web-" + i, in("team-" + i), on("n1"), labels("app", "web")));
        }
        Policy policy = PolicyDraft.of(PolicyId.cluster("own"), Mode.AUDIT)
                .podRules(Map.of())
                .rules(List.of(new Policy.NamedRule("even", spreadRule(maxSkew(1, ZONE, app("web"))), AUDIT)))
                .policy();
        oneZone.index().put(policy);
        PolicyEffects effects = new PolicyEffects(oneZone, 10 + 1 + 1 + 1 + 1);
        effects.changed();

        effects.update(List.of(policy), START);

        assertThat(effects.of(policy.id()).isNone()).isTrue();
    }
}
