package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.asking;
import static dev.holdfast.policies.engine.TestPolicies.injecting;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabelKeys;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests where a pod can go if policies inject rules into its replacement: the scheduler reads all rules of its spec at
 * once. The pod web-1 is to leave for node b1. There are other pods with the label {@code app=web}, which no policy
 * selects.
 */
class InjectedTargetsTest {
    private static final String RACK = "example.com/rack";
    private static final Rule SSD = nodeRule(nodeTerm(expression("disk", "In", "ssd")));
    private static final TopologySpreadConstraint BY_ZONE = maxSkew(1, ZONE, app("web"));
    private static final LabelSelector MOVING = new LabelSelector(Labels.of("moving", "yes"), List.of());

    private static ClusterBuilder pods(ClusterBuilder nodes, String... others) {
        nodes.replicaSet("web", 1);
        for (int i = 0; i < others.length; i++) {
            nodes.pod("other-" + i, on(others[i]), labels("app", "web"));
        }
        return nodes;
    }

    private static Policy askingForSsdAnd(String name, Rule rule) {
        Policy ssd = asking("ssd", SSD, WhenInfeasible.WAIT);
        return new Policy(
                ssd.id(),
                ssd.generation(),
                ssd.mode(),
                ssd.pods(),
                ssd.nodes(),
                ssd.namespaces(),
                ssd.podRules(),
                List.of(
                        ssd.rules().getFirst(),
                        new Policy.NamedRule(
                                name, rule, new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.WAIT))));
    }

    private static EngineScenario after10Minutes(ClusterBuilder facts, Policy policy) {
        return EngineScenario.begin(facts, policy).afterSeconds(600);
    }

    /**
     * Node a2 has no zone. The rule counts racks r1 with two other pods and r2 with one, so that a further one in r2 is
     * right. For the scheduler a node counts only with the keys of all constraints (TS-4): r1 has no other pod.
     */
    @Test
    void aSpreadCountsNodesWithTheKeysOfAllConstraintsOfTheReplacement() {
        ClusterBuilder facts = pods(
                        cluster()
                                .node("a1", labels(ZONE, "a", RACK, "r1"))
                                .node("a2", labels(RACK, "r1", "disk", "ssd"))
                                .node("b1", labels(ZONE, "b", RACK, "r2", "disk", "ssd")),
                        "a2",
                        "a2",
                        "b1")
                .pod(
                        "web-1",
                        on("a1"),
                        replicaOf("web"),
                        labels("app", "web", "moving", "yes"),
                        spread(maxSkew(5, ZONE, app("web"))));
        Policy policy = over(MOVING, asking("even", spreadRule(maxSkew(1, RACK, app("web"))), WhenInfeasible.WAIT));

        assertThat(after10Minutes(facts, policy).evicted()).containsExactly("web-1");

        EngineScenario injected = after10Minutes(facts, injecting(policy));
        assertThat(injected.evicted()).isEmpty();
        assertThat(injected.holds()).contains(Reason.INFEASIBLE);
    }

    /** The other pod on b1 is of another revision, so that the anti-affinity does not mean it. */
    @Test
    void anAntiAffinityOfOneRevisionKeepsNoPodAwayFromOthers() {
        Rule ofRevision = antiAffinityRule(term(app("web"), HOSTNAME, matchLabelKeys("hash")));
        Policy policy = over(MOVING, askingForSsdAnd("apart", ofRevision));
        ClusterBuilder facts = cluster()
                .node("a1", hostname("a1"))
                .node("b1", hostname("b1"), labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod("other", on("b1"), labels("app", "web", "hash", "old"))
                .pod("web-1", on("a1"), replicaOf("web"), labels("app", "web", "hash", "new", "moving", "yes"));

        EngineScenario injected = after10Minutes(facts, injecting(policy));
        assertThat(injected.evicted()).containsExactly("web-1");
    }

    /**
     * Of all nodes, zone a has two other pods and b has one, so that a further one in b is right. Of the nodes with an
     * SSD, which the replacement will require, zone a has none.
     */
    @Test
    void aSpreadOfThePodsOwnCountsTheNodesThatTheReplacementMayUse() {
        ClusterBuilder facts = pods(
                        cluster()
                                .node("a1", labels(ZONE, "a", "disk", "ssd"), cordoned())
                                .node("a2", labels(ZONE, "a"))
                                .node("b1", labels(ZONE, "b", "disk", "ssd")),
                        "a2",
                        "a2",
                        "b1")
                .pod("web-1", on("a2"), replicaOf("web"), labels("app", "web", "moving", "yes"), spread(BY_ZONE));
        Policy policy = over(MOVING, asking("ssd", SSD, WhenInfeasible.WAIT));

        assertThat(after10Minutes(facts, policy).evicted()).containsExactly("web-1");

        EngineScenario injected = after10Minutes(facts, injecting(policy));
        assertThat(injected.evicted()).isEmpty();
        assertThat(injected.holds()).contains(Reason.INFEASIBLE);
    }
}
