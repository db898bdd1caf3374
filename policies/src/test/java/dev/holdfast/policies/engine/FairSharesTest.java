package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.inNamespaces;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests that all namespaces and policies share the limits: namespace {@code big} has 40 pods on a node without their
 * disk, and {@code small} has one. Each pod is of its own workload. The pods of {@code big} have the lower priority, so
 * in victim order all of them come first.
 */
class FairSharesTest {
    private static final int BIG = 40;

    private static ClusterBuilder onWrongNodes(String namespace, int pods, PodTrait trait, ClusterBuilder facts) {
        IntStream.rangeClosed(1, pods)
                .forEach(i -> facts.replicaSetIn(namespace, namespace + "-" + i)
                        .pod(
                                namespace + "-" + i,
                                on("n" + (i % 20)),
                                in(namespace),
                                replicaOf(namespace + "-" + i),
                                nodeSelector("disk", "ssd"),
                                trait));
        return facts;
    }

    private static ClusterBuilder nodes() {
        ClusterBuilder facts = cluster()
                .node("spare", labels("disk", "ssd"))
                .namespace("big", labels("team", "big"))
                .namespace("small", labels("team", "small"));
        IntStream.range(0, 20).forEach(i -> facts.node("n" + i, labels("disk", "hdd")));
        return facts;
    }

    private static ClusterBuilder facts() {
        return onWrongNodes("small", 1, priority(5), onWrongNodes("big", BIG, priority(1), nodes()));
    }

    private static EngineScenario begin(OperatorLimits operatorLimits, ClusterBuilder facts, Policy... policies) {
        return EngineScenario.begin(EngineScenario.settings(operatorLimits), facts, policies)
                .replacingOn("spare");
    }

    private static OperatorLimits limits(int inFlight, int perHour) {
        OperatorLimits defaults = OperatorLimits.defaults();
        return new OperatorLimits(
                inFlight, perHour, defaults.perNamespace(), defaults.perNode(), defaults.perWorkload());
    }

    private static List<String> namespacesOf(EngineScenario engineScenario) {
        return engineScenario.requests.stream()
                .map(request -> request.pod().namespace())
                .toList();
    }

    private static Policy policy(String name, String... workloads) {
        return over(selector(expression("app", "In", workloads)), enforcing(name, FORGIVENESS));
    }

    @Test
    void onePodOfEachNamespaceMovesInTheFirstRound() {
        EngineScenario engineScenario = begin(limits(10, 120), facts(), everywhere(enforcing()))
                .neverAnswering(Effect.Evict.class)
                .afterSeconds(60);

        assertThat(engineScenario.evicted()).hasSize(2);
        assertThat(namespacesOf(engineScenario)).containsExactlyInAnyOrder("big", "small");
    }

    @Test
    void theNamespacesMoveInTurnWhileOneMoveMayBeInFlight() {
        EngineScenario engineScenario = begin(
                        limits(1, 120),
                        onWrongNodes("small", 3, priority(5), onWrongNodes("big", BIG, priority(1), nodes())),
                        everywhere(enforcing()))
                .afterSeconds(90);

        assertThat(namespacesOf(engineScenario).subList(0, 8))
                .containsExactly("big", "small", "big", "small", "big", "small", "big", "big");
    }

    @Test
    void aNamespaceThatBecomesDueLaterMovesNext() {
        EngineScenario engineScenario = begin(
                        limits(1, 120), onWrongNodes("big", BIG, priority(1), nodes()), everywhere(enforcing()))
                .replacing(_ -> {})
                .afterSeconds(60);
        onWrongNodes("small", 1, priority(5), cluster()).facts().forEach(engineScenario::happens);
        engineScenario.replacingOn("spare").afterSeconds(1_200);

        assertThat(namespacesOf(engineScenario).subList(0, 3)).containsExactly("big", "small", "big");
    }

    @Test
    void thePoliciesOfANamespaceMoveInTurn() {
        String[] most = IntStream.rangeClosed(3, BIG).mapToObj(i -> "shop-" + i).toArray(String[]::new);
        EngineScenario engineScenario = begin(
                        limits(1, 120),
                        onWrongNodes("shop", BIG, priority(1), nodes())
                                .pod("shop-1", on("n1"), replicaOf("shop-1"), nodeSelector("disk", "ssd"), priority(5))
                                .pod("shop-2", on("n2"), replicaOf("shop-2"), nodeSelector("disk", "ssd"), priority(5)),
                        policy("most", most),
                        policy("few", "shop-1", "shop-2"))
                .afterSeconds(90);

        assertThat(engineScenario.evicted().subList(0, 4)).contains("shop-1", "shop-2");
    }

    @Test
    void aTenthOfTheHourIsForNamespacesThatHadNoEviction() {
        EngineScenario engineScenario = begin(
                        limits(10, 20), onWrongNodes("big", BIG, priority(1), nodes()), everywhere(enforcing()))
                .afterSeconds(600);
        assertThat(engineScenario.evicted()).hasSize(18);
        assertThat(engineScenario.held()).isEqualTo(Reason.HOURLY_LIMIT);
        assertThat(engineScenario.heldBecause())
                .isEqualTo(
                        "18 evictions in the cluster were sent within the last hour or are in progress, and the limit"
                                + " is 20; 2 of these are kept for namespaces without an eviction within the hour");

        onWrongNodes("small", 3, priority(5), cluster()).facts().forEach(engineScenario::happens);
        engineScenario.afterSeconds(600);

        assertThat(namespacesOf(engineScenario)
                        .subList(18, engineScenario.evicted().size()))
                .containsExactly("small");
    }

    @Test
    void inEachHourTheNamespacesAreServedThatWaitedLongest() {
        ClusterBuilder facts = nodes().namespace("third", labels("team", "third"));
        EngineScenario engineScenario = begin(
                        limits(10, 2),
                        onWrongNodes(
                                "third",
                                5,
                                priority(9),
                                onWrongNodes("small", 5, priority(5), onWrongNodes("big", 5, priority(1), facts))),
                        everywhere(enforcing()))
                .after(Duration.ofMinutes(170));

        assertThat(namespacesOf(engineScenario)).containsExactly("big", "small", "third", "big", "small", "third");
    }

    @Test
    void aTenthOfTheHourOfAClusterPolicyIsForNamespacesThatHadNoEvictionForIt() {
        EngineScenario engineScenario = EngineScenario.begin(onWrongNodes("big", 9, priority(1), nodes()))
                .event(new Event.PolicyChanged(
                        everywhere(enforcing()),
                        ControlsDraft.plain().perHour(5).controls()))
                .replacingOn("spare")
                .afterSeconds(600);
        assertThat(engineScenario.evicted()).hasSize(4);
        assertThat(engineScenario.held()).isEqualTo(Reason.POLICY_LIMIT);
        assertThat(engineScenario.heldBecause())
                .endsWith("and the policy allows 5; 1 of these are kept for namespaces without an eviction within the"
                        + " hour");

        onWrongNodes("small", 3, priority(5), cluster()).facts().forEach(engineScenario::happens);
        engineScenario.afterSeconds(600);

        assertThat(namespacesOf(engineScenario)).containsExactly("big", "big", "big", "big", "small");
    }

    @Test
    void noTenantPutsItsPodsBeforeAPodOfTheSameScopeThatAClusterPolicyEnforces() {
        PodTrait apart = apartFrom(term(matchLabels("tier", "web"), HOSTNAME, namespaces("big", "small")));
        ClusterBuilder facts = nodes().node("n1", labels(HOSTNAME, "n1"))
                .replicaSetIn("big", "a")
                .replicaSetIn("small", "b")
                .pod("a", on("n1"), in("big"), replicaOf("a"), labels("tier", "web"), priority(1), apart)
                .pod("b", on("n1"), in("small"), replicaOf("b"), labels("tier", "web"), priority(10), apart);
        Policy ofTenant = PolicyDraft.of(PolicyId.namespaced("big", "own"), Mode.ENFORCE)
                .podRules(Map.of(
                        RuleKind.POD_ANTI_AFFINITY, new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.WAIT)))
                .policy();

        EngineScenario engineScenario = EngineScenario.begin(
                        facts, ofTenant, inNamespaces(matchLabels("team", "small"), everywhere(enforcing())))
                .afterSeconds(90);

        assertThat(engineScenario.evicted()).containsExactly("b");
    }

    @Test
    void podsThatConflictStayInVictimOrderWhicheverNamespaceHasItsTurn() {
        PodTrait apart = apartFrom(term(matchLabels("tier", "web"), HOSTNAME, namespaces("big", "small")));
        EngineScenario engineScenario = begin(
                        limits(1, 120),
                        nodes().node("n1", labels(HOSTNAME, "n1"))
                                .node("n2", labels(HOSTNAME, "n2"))
                                .replicaSetIn("big", "a")
                                .replicaSetIn("small", "b")
                                .replicaSetIn("small", "small-1")
                                .pod(
                                        "small-1",
                                        on("n3"),
                                        in("small"),
                                        replicaOf("small-1"),
                                        nodeSelector("disk", "ssd"))
                                .pod(
                                        "a",
                                        on("n1"),
                                        in("big"),
                                        replicaOf("a"),
                                        labels("tier", "web"),
                                        priority(10),
                                        apart)
                                .pod(
                                        "b",
                                        on("n1"),
                                        in("small"),
                                        replicaOf("b"),
                                        labels("tier", "web"),
                                        priority(1),
                                        apart),
                        everywhere(enforcing()))
                .afterSeconds(90);

        assertThat(engineScenario.evicted()).contains("b").doesNotContain("a");
    }

    @Test
    void podsOfOneSpreadStayInVictimOrderWhicheverPolicyHasItsTurn() {
        PodTrait even = pod -> {
            labels("tier", "web").of(pod);
            spread(maxSkew(1, ZONE, matchLabels("tier", "web"))).of(pod);
        };
        EngineScenario engineScenario = begin(
                        limits(10, 120),
                        cluster()
                                .node("a1", labels(ZONE, "a", "disk", "hdd"))
                                .node("b1", labels(ZONE, "b", "disk", "ssd"))
                                .replicaSet("x", 1)
                                .replicaSet("y", 1)
                                .replicaSet("z", 1)
                                .pod("x", on("a1"), replicaOf("x"), priority(10), even)
                                .pod("y", on("a1"), replicaOf("y"), priority(1), even)
                                .pod("w", on("b1"), even)
                                .pod("z", on("a1"), replicaOf("z"), nodeSelector("disk", "ssd")),
                        policy("few", "x"),
                        policy("most", "y", "z"))
                .replacingOn("b1")
                .afterSeconds(70);
        assertThat(engineScenario.evicted()).containsExactly("z");

        engineScenario.happens(podGone("w")).afterSeconds(90);

        assertThat(engineScenario.evicted()).containsExactly("z", "y");
    }
}
