package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PolicyDraft;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests policies that contradict each other: one requires nodes with an SSD for web, another keeps web apart from batch
 * pods.
 */
class ContradictsTest {
    private static final Rule SSD = nodeSelectorRule("disk", "ssd");
    private static final Rule APART = new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME));
    private static final Rule HDD = nodeSelectorRule("disk", "hdd");
    private static final Optional<Reason> MOVED = Optional.empty();

    private static ClusterBuilder batchOnTheOnlySsd() {
        return cluster()
                .node("n1", labels("disk", "hdd", HOSTNAME, "n1"))
                .node("n2", labels("disk", "ssd", HOSTNAME, "n2"))
                .node("n3", labels("disk", "hdd", HOSTNAME, "n3"))
                .replicaSet("web", 1)
                .pod("web-1", on("n1"), replicaOf("web"))
                .pod("batch-1", on("n2"), replicaOf("batch"));
    }

    private static Policy policy(String name, WhenInfeasible whenInfeasible, Rule... rules) {
        return policy(name, Mode.ENFORCE, whenInfeasible, rules);
    }

    private static Policy audit(String name, Rule... rules) {
        return policy(name, Mode.AUDIT, WhenInfeasible.WAIT, rules);
    }

    private static Policy policy(String name, Mode mode, WhenInfeasible whenInfeasible, Rule... rules) {
        Enforcement enforcement = new Enforcement(mode, FORGIVENESS, whenInfeasible);
        return PolicyDraft.of(PolicyId.namespaced(Facts.NAMESPACE, name), mode)
                .pods(matcher(app("web")))
                .rules(Stream.of(rules)
                        .map(rule -> new Policy.NamedRule(rule.kind().name(), rule, enforcement))
                        .toList())
                .policy();
    }

    private static List<Policy> two(WhenInfeasible whenInfeasible) {
        return List.of(policy("ssd", whenInfeasible, SSD), policy("apart", whenInfeasible, APART));
    }

    static Stream<Arguments> clusters() {
        Optional<Reason> contradicts = Optional.of(Reason.CONTRADICTS);
        Optional<Reason> infeasible = Optional.of(Reason.INFEASIBLE);
        List<Policy> two = two(WhenInfeasible.WAIT);
        return Stream.of(
                argumentSet("batch on the only node with an SSD", batchOnTheOnlySsd(), two, contradicts),
                argumentSet(
                        "one policy requests both rules",
                        batchOnTheOnlySsd(),
                        List.of(policy("both", WhenInfeasible.WAIT, SSD, APART)),
                        contradicts),
                argumentSet(
                        "both policies say whenInfeasible: Evict",
                        batchOnTheOnlySsd(),
                        two(WhenInfeasible.EVICT),
                        contradicts),
                argumentSet(
                        "another node with an SSD",
                        batchOnTheOnlySsd().node("n4", labels("disk", "ssd", HOSTNAME, "n4")),
                        two,
                        MOVED),
                argumentSet(
                        "another node with an SSD is not in the pod's pool",
                        batchOnTheOnlySsd()
                                .node("n2", labels("disk", "ssd", "pool", "web", HOSTNAME, "n2"))
                                .node("n4", labels("disk", "ssd", HOSTNAME, "n4"))
                                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("pool", "web")),
                        two,
                        contradicts),
                argumentSet(
                        "another node with an SSD is full",
                        batchOnTheOnlySsd()
                                .node("n4", labels("disk", "ssd", HOSTNAME, "n4"), allocatable(Resources.none())),
                        two,
                        infeasible),
                argumentSet(
                        "another node with an SSD is cordoned",
                        batchOnTheOnlySsd().node("n4", labels("disk", "ssd", HOSTNAME, "n4"), cordoned()),
                        two,
                        infeasible),
                argumentSet(
                        "the node with the SSD is full too",
                        batchOnTheOnlySsd()
                                .node("n2", labels("disk", "ssd", HOSTNAME, "n2"), allocatable(Resources.none())),
                        two,
                        infeasible),
                argumentSet(
                        "no node with an SSD",
                        batchOnTheOnlySsd().node("n2", labels("disk", "hdd", HOSTNAME, "n2")),
                        two,
                        infeasible),
                argumentSet(
                        "only one of the policies exists",
                        batchOnTheOnlySsd(),
                        List.of(policy("ssd", WhenInfeasible.WAIT, SSD)),
                        MOVED),
                argumentSet(
                        "the other policy is in Audit",
                        batchOnTheOnlySsd(),
                        List.of(policy("ssd", WhenInfeasible.WAIT, SSD), audit("apart", APART)),
                        MOVED),
                argumentSet(
                        "two other policies, each of which forbids the only node with an SSD",
                        batchOnTheOnlySsd(),
                        List.of(
                                policy("ssd", WhenInfeasible.WAIT, SSD),
                                policy("apart", WhenInfeasible.WAIT, APART),
                                policy("hdd", WhenInfeasible.WAIT, HDD)),
                        contradicts),
                argumentSet(
                        "both policies request both rules",
                        batchOnTheOnlySsd(),
                        List.of(
                                policy("ssd", WhenInfeasible.WAIT, SSD, APART),
                                policy("apart", WhenInfeasible.WAIT, SSD, APART)),
                        contradicts));
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void policiesContradictEachOtherWhereNoNodeCanSatisfyBoth(
            ClusterBuilder facts, List<Policy> policies, Optional<Reason> held) {
        EngineScenario engineScenario = EngineScenario.begin(facts, policies.toArray(Policy[]::new))
                .replacingOn("n4")
                .afterSeconds(60);

        assertThat(engineScenario.holds()).isEqualTo(held.stream().toList());
        assertThat(engineScenario.evicted()).hasSize(held.isPresent() ? 0 : 1);
    }

    @Test
    void aHeldPodMovesOnceOneOfThePoliciesIsWithdrawn() {
        EngineScenario engineScenario = EngineScenario.begin(
                        batchOnTheOnlySsd(), two(WhenInfeasible.WAIT).toArray(Policy[]::new))
                .replacingOn("n2")
                .afterSeconds(60);
        assertThat(engineScenario.holds()).containsExactly(Reason.CONTRADICTS);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario
                .event(new Event.PolicyRemoved(PolicyId.namespaced(Facts.NAMESPACE, "apart")))
                .afterSeconds(600);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    private static Policy batchApartFromWeb() {
        return PolicyDraft.of(PolicyId.namespaced(Facts.NAMESPACE, "batch"), Mode.ENFORCE)
                .pods(matcher(app("batch")))
                .rule(
                        "apart",
                        new Rule.PodAntiAffinity(term(app("web"), HOSTNAME)),
                        new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.WAIT))
                .policy();
    }

    @Test
    void whereOthersWouldBeWorseOffEvenWithoutOneOfTwoPoliciesInsistingMovesNoPod() {
        EngineScenario engineScenario = EngineScenario.begin(
                        batchOnTheOnlySsd(),
                        policy("ssd", WhenInfeasible.EVICT, SSD),
                        policy("hdd", WhenInfeasible.EVICT, HDD),
                        batchApartFromWeb())
                .afterSeconds(60);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).containsExactly(Reason.TRADES_VIOLATIONS);
    }

    @Test
    void whatIsAuditedForAPodAndBrokenWhereverItIsDoesNotMakeUpForWhatItsMoveBreaks() {
        EngineScenario engineScenario = EngineScenario.begin(
                        batchOnTheOnlySsd(),
                        policy("ssd", WhenInfeasible.WAIT, SSD),
                        audit("rack", nodeSelectorRule("rack", "r1")),
                        batchApartFromWeb())
                .afterSeconds(60);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).contains(Reason.TRADES_VIOLATIONS);
    }

    static Stream<Arguments> audits() {
        return Stream.of(
                argumentSet("the audited policy alone", List.of(audit("ssd", SSD)), "WouldEvict web-1"),
                argumentSet(
                        "one audited policy requests both rules",
                        List.of(audit("both", SSD, APART)),
                        "Held web-1 Contradicts"),
                argumentSet(
                        "another policy in Audit",
                        List.of(audit("ssd", SSD), audit("apart", APART)),
                        "WouldEvict web-1"),
                argumentSet(
                        "another policy in Enforce",
                        List.of(audit("ssd", SSD), policy("apart", WhenInfeasible.WAIT, APART)),
                        "Held web-1 Contradicts"));
    }

    @ParameterizedTest
    @MethodSource("audits")
    void anAuditSaysWhatWouldBeIfItAloneWereEnforced(List<Policy> policies, String told) {
        EngineScenario engineScenario = EngineScenario.begin(batchOnTheOnlySsd(), policies.toArray(Policy[]::new))
                .afterSeconds(60);

        assertThat(engineScenario.events()).containsExactly("Started web-1", told);
    }

    @Test
    void theHoldNamesAllPoliciesWhereNoTwoOfThemAreTheReason() {
        EngineScenario engineScenario = EngineScenario.begin(
                        batchOnTheOnlySsd(),
                        policy("ssd", WhenInfeasible.WAIT, SSD),
                        policy("apart", WhenInfeasible.WAIT, APART),
                        policy("hdd", WhenInfeasible.WAIT, HDD))
                .afterSeconds(60);

        assertThat(engineScenario.heldBecause())
                .isEqualTo("policies shop/ssd, shop/apart and shop/hdd cannot all hold for the pod: every node that"
                        + " satisfies disk=ssd breaks disk=hdd; or " + APART.describe()
                        + "; without that, node n2 would take it");
    }

    @Test
    void theHoldNamesBothPoliciesAndWhatWouldDo() {
        EngineScenario engineScenario = EngineScenario.begin(
                        batchOnTheOnlySsd(), two(WhenInfeasible.WAIT).toArray(Policy[]::new))
                .afterSeconds(60);

        assertThat(engineScenario.heldBecause())
                .isEqualTo("policies shop/ssd and shop/apart cannot both hold for the pod: every node that satisfies"
                        + " disk=ssd breaks " + APART.describe() + "; without that, node n2 would take it");
    }
}
