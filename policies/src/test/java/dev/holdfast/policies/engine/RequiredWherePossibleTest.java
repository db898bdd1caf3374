package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.asking;
import static dev.holdfast.policies.engine.TestPolicies.injecting;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.engine.TestPolicies.wanting;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests rules with {@code when: PossibleAtScheduling}: they hold where a node can satisfy them, and ask for nothing
 * else.
 */
class RequiredWherePossibleTest {
    private static final Rule SSD = nodeSelectorRule("disk", "ssd");
    private static final Rule ARM = nodeSelectorRule("arch", "arm64");
    private static final int PODS = 60;

    /** The pod web-1 is on n1, which has no SSD but an ARM processor. */
    private static ClusterBuilder webOnHdd() {
        return cluster()
                .node("n1", labels("arch", "arm64", HOSTNAME, "n1"))
                .replicaSet("web", 1)
                .pod("web-1", on("n1"), replicaOf("web"));
    }

    private static Policy audited(Rule rule, PolicyScheduling scheduling) {
        return PolicyDraft.of(PolicyId.namespaced(Facts.NAMESPACE, "audited"), Mode.AUDIT)
                .rule("audited", rule, new Enforcement(Mode.AUDIT, FORGIVENESS, WhenInfeasible.WAIT))
                .scheduling(scheduling)
                .policy();
    }

    static Stream<Arguments> clusters() {
        List<Policy> wanted = List.of(wanting("ssd", SSD));
        List<Policy> bothWanted = List.of(wanting("ssd", SSD), wanting("arm", ARM));
        return Stream.of(
                argumentSet(
                        "a pod moves to a node that satisfies the rule",
                        webOnHdd().node("n2", labels("disk", "ssd")),
                        wanted,
                        true,
                        List.of()),
                argumentSet(
                        "no node satisfies the rule",
                        webOnHdd().node("n2"),
                        wanted,
                        false,
                        List.of(Reason.NOT_POSSIBLE)),
                argumentSet(
                        "the only node that satisfies the rule is full",
                        webOnHdd().node("n2", labels("disk", "ssd"), allocatable(Resources.none())),
                        wanted,
                        false,
                        List.of(Reason.NOT_POSSIBLE)),
                argumentSet(
                        "another policy requires the same rule always",
                        webOnHdd().node("n2"),
                        List.of(wanting("ssd", SSD), asking("ssd", SSD, WhenInfeasible.WAIT)),
                        false,
                        List.of(Reason.INFEASIBLE)),
                argumentSet(
                        "an audited policy injects the same rule as one that is always required",
                        webOnHdd().node("n2"),
                        List.of(wanting("ssd", SSD), audited(SSD, PolicyScheduling.INJECT)),
                        false,
                        List.of(Reason.INFEASIBLE)),
                argumentSet(
                        "the policy injects the rule, as a preferred one",
                        webOnHdd().node("n2"),
                        List.of(injecting(wanting("ssd", SSD))),
                        false,
                        List.of(Reason.NOT_POSSIBLE)),
                argumentSet(
                        "an audited policy asks for the same rule always, and does not inject it",
                        webOnHdd().node("n2"),
                        List.of(wanting("ssd", SSD), audited(SSD, PolicyScheduling.NONE)),
                        false,
                        List.of(Reason.NOT_POSSIBLE)),
                argumentSet(
                        "another policy that requires the same rule always evicts without a node",
                        webOnHdd().node("n2"),
                        List.of(wanting("ssd", SSD), asking("ssd", SSD, WhenInfeasible.EVICT)),
                        true,
                        List.of()),
                argumentSet(
                        "a rule that is always required keeps a pod from the node that a wanted rule asks for",
                        webOnHdd().node("n2", labels("disk", "ssd")),
                        List.of(wanting("ssd", SSD), asking("arm", ARM, WhenInfeasible.WAIT)),
                        false,
                        List.of(Reason.NOT_POSSIBLE)),
                argumentSet(
                        "a wanted rule keeps no pod from the node that a rule asks for that is always required",
                        webOnHdd().node("n2", labels("disk", "ssd")),
                        List.of(wanting("arm", ARM), asking("ssd", SSD, WhenInfeasible.WAIT)),
                        true,
                        List.of()),
                argumentSet(
                        "a wanted rule that holds keeps a pod from the node that another wanted rule asks for",
                        webOnHdd().node("n2", labels("disk", "ssd")),
                        bothWanted,
                        false,
                        List.of(Reason.NOT_POSSIBLE)),
                argumentSet(
                        "a wanted rule that is broken too keeps no pod from that node",
                        webOnHdd().node("n1", labels(HOSTNAME, "n1")).node("n2", labels("disk", "ssd")),
                        bothWanted,
                        true,
                        List.of(Reason.NOT_POSSIBLE)));
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void aPodMovesOnlyWhereANodeSatisfiesTheRule(
            ClusterBuilder facts, List<Policy> policies, boolean moved, List<Reason> held) {
        EngineScenario engineScenario = EngineScenario.begin(facts, policies.toArray(Policy[]::new))
                .replacingOn("n2")
                .afterSeconds(60);

        assertThat(engineScenario.evicted()).isEqualTo(moved ? List.of("web-1") : List.of());
        assertThat(engineScenario.holds()).isEqualTo(held);
    }

    @Test
    void aHeldPodMovesOnceANodeSatisfiesTheRule() {
        EngineScenario engineScenario = EngineScenario.begin(webOnHdd().node("n2"), wanting("ssd", SSD))
                .replacingOn("n2")
                .afterSeconds(600);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("the rule is required only where possible, and no other node would take the pod now:"
                        + " of 1 other node: 1 against its rules");

        engineScenario.happens(nodeChanged("n2", labels("disk", "ssd"))).afterSeconds(120);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    /** The pod web-1 must leave zone a for an SSD, and helper-1 stays there, which is to be near web-1. */
    @ParameterizedTest
    @MethodSource("bystanders")
    void aRuleThatAnotherPodHasOnlyWherePossibleHoldsNoMove(Policy ofHelper, Policy ofWeb, List<String> evicted) {
        ClusterBuilder facts = cluster()
                .node("a1", zone("a"), hostname("a1"))
                .node("b1", zone("b"), hostname("b1"), labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod("web-1", on("a1"), replicaOf("web"), labels("app", "web"))
                .pod("helper-1", on("a1"), replicaOf("helper"), labels("app", "helper"));

        assertThat(EngineScenario.begin(facts, ofWeb, ofHelper)
                        .replacingOn("b1")
                        .afterSeconds(600)
                        .evicted())
                .isEqualTo(evicted);
    }

    static Stream<Arguments> bystanders() {
        Rule nearWeb = affinityRule(term(app("web"), ZONE));
        Policy required = over(app("helper"), asking("near", nearWeb, WhenInfeasible.WAIT));
        Policy wanted = over(app("helper"), wanting("near", nearWeb));
        Policy ssd = over(app("web"), asking("ssd", SSD, WhenInfeasible.WAIT));
        return Stream.of(
                argumentSet("the other rule is always required", required, ssd, List.of()),
                argumentSet("the other rule is required where possible", wanted, ssd, List.of("web-1", "helper-1")),
                argumentSet(
                        "both rules are required where possible",
                        wanted,
                        over(app("web"), wanting("ssd", SSD)),
                        List.of()));
    }

    /** On n1 with an SSD, there are 60 pods of their own workloads. */
    private static ClusterBuilder manyOnSsd(NodeTrait... ofSpare) {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "ssd")).node("spare", ofSpare);
        for (int i = 1; i <= PODS; i++) {
            facts.replicaSet("web-" + i, 1).pod("web-" + i, on("n1"), replicaOf("web-" + i));
        }
        return facts;
    }

    static Stream<Arguments> losses() {
        Policy wanted = wanting("ssd", SSD);
        Policy required = asking("ssd", SSD, WhenInfeasible.WAIT);
        NodeTrait ssd = labels("disk", "ssd");
        List<BrakeReport.Change> opened = List.of(BrakeReport.Change.OPENED);
        return Stream.of(
                argumentSet("wanted, and another node satisfies the rule", wanted, spare(ssd), opened),
                argumentSet(
                        "wanted, and the only node that satisfies the rule is cordoned",
                        wanted,
                        spare(ssd, cordoned()),
                        List.of()),
                argumentSet("wanted, and no node satisfies the rule", wanted, spare(), List.of()),
                argumentSet("always required, and another node satisfies the rule", required, spare(ssd), opened),
                argumentSet(
                        "always required, and the only node that satisfies the rule is cordoned",
                        required,
                        spare(ssd, cordoned()),
                        opened),
                argumentSet("always required, and no node satisfies the rule", required, spare(), opened));
    }

    private static List<NodeTrait> spare(NodeTrait... traits) {
        return List.of(traits);
    }

    /** Rules that are always required count also without a node: once there is one, all their pods could move. */
    @ParameterizedTest
    @MethodSource("losses")
    void onlyWantedRulesThatNoNodeSatisfiesDoNotOpenTheVolumeBreaker(
            Policy policy, List<NodeTrait> ofSpare, List<BrakeReport.Change> turns) {
        EngineScenario engineScenario = EngineScenario.begin(manyOnSsd(ofSpare.toArray(NodeTrait[]::new)), policy)
                .happens(nodeChanged("n1"))
                .afterSeconds(1);

        assertThat(engineScenario.turns).extracting(BreakerReport::change).isEqualTo(turns);
    }

    /** All nodes lose the label at once, and one has it again after some time, so that all pods could move to it. */
    @ParameterizedTest
    @CsvSource({"5, 1", "80, 1", "100, 0"})
    void whatANodeSatisfiesAgainOpensTheVolumeBreakerWithin90Seconds(int seconds, int opened) {
        EngineScenario engineScenario = EngineScenario.begin(manyOnSsd(labels("disk", "ssd")), wanting("ssd", SSD))
                .happens(nodeChanged("spare"))
                .happens(nodeChanged("n1"))
                .afterSeconds(seconds);
        assertThat(engineScenario.turns).isEmpty();

        engineScenario.happens(nodeChanged("spare", labels("disk", "ssd"))).afterSeconds(5);

        assertThat(engineScenario.turns).hasSize(opened);
    }

    /** A StatefulSet gives each of its pods labels of its own; 60 of them would be more than are asked about. */
    @Test
    void thePodsOfAStatefulSetAreAskedAboutAsOne() {
        Rule nearCache = affinityRule(term(app("cache"), HOSTNAME));
        ClusterBuilder facts = cluster().node("n1", hostname("n1")).pod("cache", on("n1"), labels("app", "cache"));
        IntStream.range(0, PODS)
                .forEach(
                        i -> facts.pod("db-" + i, on("n1"), ownedBy("StatefulSet", "db", "db"), labels("pod", "" + i)));

        assertThat(EngineScenario.begin(facts, wanting("near", nearCache))
                        .happens(podGone("cache"))
                        .afterSeconds(1)
                        .turns)
                .isEmpty();
    }

    @Test
    void whatTheSchedulerPlacedWithoutTheRuleDoesNotOpenTheVolumeBreaker() {
        EngineScenario wanted =
                EngineScenario.begin(cluster().node("n1").node("spare", labels("disk", "ssd")), wanting("ssd", SSD));
        EngineScenario required = EngineScenario.begin(
                cluster().node("n1").node("spare", labels("disk", "ssd")), asking("ssd", SSD, WhenInfeasible.WAIT));
        for (EngineScenario engineScenario : List.of(wanted, required)) {
            IntStream.rangeClosed(1, PODS)
                    .mapToObj(i -> Facts.pod("web-" + i, on("n1"), replicaOf("web-" + i)))
                    .forEach(pod -> engineScenario.happens(new ClusterEvent.PodChanged(pod)));
            engineScenario.afterSeconds(1);
        }

        assertThat(wanted.turns).isEmpty();
        assertThat(required.turns).hasSize(1);
    }
}
