package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.alsoAsking;
import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.testing.Changes.acknowledged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the label breaker: if a label is removed from many nodes, no pod is moved. In each scenario nodes n1 to n9 and
 * the large node {@code spare} have the label disk=ssd. Each of the nine has a pod that requires the label, each of its
 * own workload.
 */
class LabelBreakerTest {
    private static final int NODES = 9;
    private static final Duration WEEK = Duration.ofDays(7);

    private static ClusterBuilder facts() {
        ClusterBuilder facts = cluster().node("spare", ssd());
        for (int i = 1; i <= NODES; i++) {
            facts.node("n" + i, ssd())
                    .replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n" + i), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        return facts;
    }

    private static NodeTrait ssd() {
        return labels("disk", "ssd");
    }

    private static NodeTrait bare() {
        return labels("cpu", "new");
    }

    private static EngineScenario begin(Policy policy) {
        return EngineScenario.begin(facts(), policy).replacingOn("spare");
    }

    private static EngineScenario losing(EngineScenario engineScenario, int from, int to) {
        for (int i = from; i <= to; i++) {
            engineScenario.happens(nodeChanged("n" + i, bare()));
        }
        return engineScenario;
    }

    private static List<String> turns(EngineScenario engineScenario) {
        return engineScenario.turns.stream()
                .map(report -> report.change() + " " + report.id().replaceAll("@.*", ""))
                .toList();
    }

    @Test
    void sixtyPercentOfTheNodesLoseTheLabelAtOnceAndNoPodIsMovedWhileItStaysSo() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).after(Duration.ofDays(2));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(Set.copyOf(engineScenario.holds())).containsExactly(Reason.LABEL_BREAKER);
        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.heldBecause())
                .isEqualTo("label disk left 6 of 10 nodes in 1 s; probably a mistake of whatever sets it. No pod is"
                        + " evicted for rules that read this label until it is back, or until you acknowledge that"
                        + " this is intended: kubectl annotate namespace holdfast --overwrite holdfast.dev/acknowledge="
                        + engineScenario.turns.getFirst().id());
    }

    @Test
    void withoutTheBreakerTheyWouldBeMoved() {
        EngineScenario engineScenario = EngineScenario.begin(
                        EngineScenario.settingsWithout(Set.of(Reason.LABEL_BREAKER)), facts(), enforcing())
                .replacingOn("spare");

        losing(engineScenario, 1, 6).after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).hasSize(6);
    }

    @Test
    void aLabelThatGoesSlowlyOpensItWithTheSecondOfTenNodesThatMakesThree() {
        EngineScenario engineScenario = begin(enforcing("web", Duration.ofMinutes(30)));
        for (int i = 1; i <= 6; i++) {
            losing(engineScenario, i, i).after(Duration.ofMinutes(4));
        }
        engineScenario.after(Duration.ofHours(5));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.turns.getFirst().message()).startsWith("label disk left 3 of 10 nodes in 480 s; ");
        assertThat(engineScenario
                        .report(enforcing())
                        .oldest()
                        .getFirst()
                        .hold()
                        .orElseThrow()
                        .message())
                .startsWith("label disk left 6 of 10 nodes in 20 min; ");
    }

    @Test
    void whatWasLostCountsForAnHourAndNoLonger() {
        EngineScenario late = losing(begin(enforcing()), 1, 2).after(Duration.ofMinutes(61));
        losing(late, 3, 3).afterSeconds(70);
        assertThat(late.turns).isEmpty();
        assertThat(late.evicted()).containsExactlyInAnyOrder("web-1", "web-2", "web-3");

        EngineScenario inTime = losing(begin(enforcing()), 1, 2).after(Duration.ofMinutes(59));
        losing(inTime, 3, 3).afterSeconds(70);
        assertThat(turns(inTime)).containsExactly("OPENED disk");
        assertThat(inTime.evicted()).containsExactlyInAnyOrder("web-1", "web-2");
    }

    @Test
    void whatWasLostIsOverToTheMinuteWheneverItWasLastClearedAway() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 2).after(Duration.ofMinutes(59));
        engineScenario
                .happens(nodeChanged("n9", labels("disk", "ssd", "cpu", "new")))
                .after(Duration.ofMinutes(2));

        losing(engineScenario, 3, 3).afterSeconds(1);

        assertThat(engineScenario.turns).isEmpty();
    }

    static Stream<Arguments> longestForgiveness() {
        return Stream.of(
                argumentSet("of a cluster policy", everywhere(enforcing("web", Duration.ofHours(3))), "disk"),
                argumentSet("of a policy of the namespace", enforcing("web", Duration.ofHours(3)), "disk-shop"));
    }

    @ParameterizedTest
    @MethodSource("longestForgiveness")
    void whatWasLostCountsForAsLongAsTheLongestForgiveness(Policy policy, String breaker) {
        EngineScenario engineScenario = losing(begin(policy), 1, 2).after(Duration.ofMinutes(150));

        losing(engineScenario, 3, 3).after(Duration.ofHours(4));

        assertThat(turns(engineScenario)).containsExactly("OPENED " + breaker);
        assertThat(engineScenario.reads).isEmpty();
    }

    /** {@return the scenario in which the label leaves one node a day, after three days} */
    private static EngineScenario slowlyLosing(Policy... policies) {
        ClusterBuilder facts = facts().node("spare", labels("disk", "ssd", "cpu", "new"));
        EngineScenario engineScenario = EngineScenario.begin(facts, policies).replacingOn("spare");
        for (int i = 1; i <= 3; i++) {
            losing(engineScenario, i, i).after(Duration.ofDays(1));
        }
        return engineScenario;
    }

    static Stream<Arguments> policiesThatForgiveForAWeek() {
        Enforcement week = new Enforcement(Mode.ENFORCE, WEEK, WhenInfeasible.WAIT);
        return Stream.of(
                argumentSet("no other policy", List.of(), List.of()),
                argumentSet(
                        "one that audits",
                        List.of(TestPolicies.policy("slow", Mode.AUDIT, WEEK, WhenInfeasible.WAIT)),
                        List.of()),
                argumentSet(
                        "one that enforces a rule about another label",
                        List.of(alsoAsking(
                                "cpu", nodeSelectorRule("cpu", "new"), week, enforcing("slow", Duration.ofMinutes(1)))),
                        List.of()),
                argumentSet(
                        "one that enforces a rule about the same label",
                        List.of(enforcing("slow", WEEK)),
                        List.of("OPENED disk-shop")));
    }

    @ParameterizedTest
    @MethodSource("policiesThatForgiveForAWeek")
    void aPolicyOfANamespaceDoesNotHoldWhatAClusterPolicyEnforces(List<Policy> ofNamespace, List<String> turns) {
        List<Policy> policies = new ArrayList<>(ofNamespace);
        policies.add(everywhere(enforcing()));

        EngineScenario engineScenario = slowlyLosing(policies.toArray(Policy[]::new));

        assertThat(turns(engineScenario)).isEqualTo(turns);
        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2", "web-3");
    }

    @Test
    void aClusterPolicyThatForgivesForAWeekHoldsAll() {
        EngineScenario engineScenario =
                slowlyLosing(everywhere(enforcing("platform", WEEK)), enforcing("web", Duration.ofDays(4)));

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.after(WEEK).reads).isEmpty();
    }

    @Test
    void theBreakerOfANamespaceSaysWhatItHoldsAndClosesByItsOwnId() {
        EngineScenario engineScenario = slowlyLosing(enforcing("slow", WEEK));
        String id = engineScenario.turns.getFirst().id();
        assertThat(engineScenario.turns.getFirst().message())
                .isEqualTo(
                        "label disk left 3 of 10 nodes in 2880 min; probably a mistake of whatever sets it. No pod is"
                            + " evicted for rules of policies in namespace shop that read this label until it is back,"
                            + " or until you acknowledge that this is intended: kubectl annotate namespace holdfast"
                            + " --overwrite holdfast.dev/acknowledge=" + id);
        assertThat(engineScenario.turns.getFirst().scope())
                .isEqualTo(new BreakerScope.NodeLabelForPolicies("disk", "shop"));

        losing(engineScenario.happens(acknowledged(id)), 4, 5).after(Duration.ofHours(1));

        assertThat(turns(engineScenario)).containsExactly("OPENED disk-shop", "ACKNOWLEDGED disk-shop");
    }

    @Test
    void theAcknowledgementForAllIsOneForEachNamespace() {
        EngineScenario engineScenario = slowlyLosing(enforcing("slow", WEEK));
        losing(engineScenario, 4, 6).afterSeconds(1);
        assertThat(turns(engineScenario)).containsExactly("OPENED disk-shop", "OPENED disk");

        engineScenario
                .happens(acknowledged(engineScenario.turns.getLast().id()))
                .afterSeconds(1);

        assertThat(turns(engineScenario))
                .containsExactly("OPENED disk-shop", "OPENED disk", "ACKNOWLEDGED disk", "ACKNOWLEDGED disk-shop");
    }

    @Test
    void twoOfThreeNodesAreTooFewToTell() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", ssd())
                                .node("n2", ssd())
                                .node("spare", ssd())
                                .replicaSet("web-1", 1)
                                .pod("web-1", on("n1"), replicaOf("web-1"), nodeSelector("disk", "ssd")),
                        enforcing())
                .replacingOn("spare");

        losing(engineScenario, 1, 2).afterSeconds(70);

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void threeOfSixteenNodesAreFewerThanAFifthAndThreeOfFifteenAreNot() {
        assertThat(losing(amongCarriers(16), 1, 3).afterSeconds(1).turns).isEmpty();
        assertThat(turns(losing(amongCarriers(15), 1, 3).afterSeconds(1))).containsExactly("OPENED disk");
    }

    @Test
    void nodesThatNeverHadTheLabelAreNoPartOfTheWhole() {
        ClusterBuilder facts = facts();
        for (int i = 1; i <= 30; i++) {
            facts.node("never-" + i, bare());
        }

        EngineScenario engineScenario =
                losing(EngineScenario.begin(facts, enforcing()), 1, 3).afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.turns.getFirst().message()).startsWith("label disk left 3 of 10 nodes in 1 s; ");
    }

    private static EngineScenario amongCarriers(int carriers) {
        ClusterBuilder facts = facts();
        for (int i = NODES + 2; i <= carriers; i++) {
            facts.node("more-" + i, ssd());
        }
        return EngineScenario.begin(facts, enforcing());
    }

    @Test
    void aNodePoolThatIsRemovedLosesNoLabel() {
        EngineScenario engineScenario = begin(enforcing());
        for (int i = 1; i <= 6; i++) {
            engineScenario.happens(podGone("web-" + i)).happens(nodeGone("n" + i));
        }
        engineScenario.afterSeconds(70);

        assertThat(engineScenario.turns).isEmpty();
    }

    private static EngineScenario withKernels(String... kernels) {
        ClusterBuilder facts = cluster();
        for (int i = 1; i <= 10; i++) {
            facts.node("n" + i, labels("kernel", "5.1"))
                    .replicaSet("web-" + i, 1)
                    .pod(
                            "web-" + i,
                            on("n" + i),
                            replicaOf("web-" + i),
                            nodeAffinity(nodeTerm(
                                    expression("kernel", "In", i == 1 ? kernels : new String[] {"5.1", "5.2"}))));
        }
        return EngineScenario.begin(facts, enforcing());
    }

    private static EngineScenario upgraded(EngineScenario engineScenario) {
        for (int i = 10; i >= 1; i--) {
            engineScenario
                    .happens(nodeChanged("n" + i, labels("kernel", "5.2")))
                    .afterSeconds(31);
        }
        return engineScenario.afterSeconds(70);
    }

    /** The nodes are upgraded one after the other, and the rule of each pod admits both kernels. */
    @Test
    void aValueThatLeavesAllNodesAndBreaksNoRuleOpensNothing() {
        assertThat(turns(upgraded(withKernels("5.1", "5.2")))).isEmpty();
    }

    @Test
    void aValueThatLeavesAllNodesAndBreaksARuleOfOnePodOpensTheBreaker() {
        assertThat(turns(upgraded(withKernels("5.1")))).containsExactly("OPENED kernel");
    }

    /** {@return ten nodes with disk=ssd in zone a, and a pod on each that needs one of both} */
    private static EngineScenario acceptingTheZoneToo() {
        ClusterBuilder facts = cluster();
        for (int i = 1; i <= 10; i++) {
            facts.node("n" + i, labels("disk", "ssd", ZONE, "a"))
                    .replicaSet("web-" + i, 1)
                    .pod(
                            "web-" + i,
                            on("n" + i),
                            replicaOf("web-" + i),
                            nodeAffinity(
                                    nodeTerm(expression("disk", "In", "ssd")), nodeTerm(expression(ZONE, "In", "a"))));
        }
        return EngineScenario.begin(facts, enforcing());
    }

    @Test
    void aValueThatLeavesAndBreaksARuleLaterWithAnotherLabelOpensTheBreaker() {
        EngineScenario engineScenario = acceptingTheZoneToo();
        for (int i = 1; i <= 3; i++) {
            engineScenario.happens(nodeChanged("n" + i, zone("a")));
        }
        engineScenario.after(Duration.ofMinutes(5));
        assertThat(engineScenario.turns).isEmpty();

        engineScenario.happens(nodeChanged("n1", zone("b"))).after(Duration.ofHours(2));

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void aValueThatLeavesAndWouldNotMendARuleThatBreaksLaterOpensNothing() {
        EngineScenario engineScenario = acceptingTheZoneToo();
        // Only the loss of hdd could count now, and the rule needs ssd.
        for (int i = 4; i <= 6; i++) {
            engineScenario.happens(nodeChanged("n" + i, labels("disk", "hdd", ZONE, "a")));
        }
        engineScenario.after(Duration.ofMinutes(61));
        for (int i = 4; i <= 6; i++) {
            engineScenario.happens(nodeChanged("n" + i, zone("a")));
        }
        engineScenario.happens(nodeChanged("n4", zone("b"))).afterSeconds(10);

        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void aValueThatLeavesNodesOnWhichPodsThatNeedItAreSeenLaterOpensTheBreaker() {
        ClusterBuilder facts = cluster()
                .node("spare", ssd())
                .replicaSet("web-0", 1)
                .pod("web-0", on("spare"), replicaOf("web-0"), nodeSelector("disk", "ssd"))
                .replicaSet("web-1", 1);
        for (int i = 1; i <= NODES; i++) {
            facts.node("n" + i, ssd());
        }
        EngineScenario engineScenario = losing(EngineScenario.begin(facts, enforcing()), 1, 3);
        assertThat(engineScenario.afterSeconds(10).turns).isEmpty();

        engineScenario
                .happens(podChanged("web-1", on("n1"), replicaOf("web-1"), nodeSelector("disk", "ssd")))
                .after(Duration.ofHours(2));

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void nodesThatComeBackUnderTheirNamesWithAnotherValueThatBreaksNoRuleLoseNothing() {
        EngineScenario engineScenario = withKernels("5.1", "5.2");
        for (int i = 1; i <= 10; i++) {
            engineScenario.happens(nodeGone("n" + i)).happens(nodeChanged("n" + i, labels("kernel", "5.2")));
        }

        assertThat(turns(engineScenario.afterSeconds(70))).isEmpty();
    }

    @Test
    void nodesThatComeBackUnderTheirNamesWithoutTheLabelHaveLostIt() {
        EngineScenario engineScenario = begin(enforcing());
        for (int i = 1; i <= 3; i++) {
            engineScenario.happens(nodeGone("n" + i)).happens(nodeChanged("n" + i, bare()));
        }
        engineScenario.afterSeconds(70);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void newNodesThatNeverHadTheLabelHaveNotLostIt() {
        EngineScenario engineScenario = begin(enforcing());
        for (int i = 1; i <= 20; i++) {
            engineScenario.happens(nodeChanged("new-" + i, bare()));
        }

        assertThat(engineScenario.afterSeconds(70).turns).isEmpty();
    }

    @Test
    void aValueThatChangesOnManyNodesIsLostLikeALabel() {
        EngineScenario engineScenario = begin(enforcing());
        for (int i = 1; i <= 6; i++) {
            engineScenario.happens(nodeChanged("n" + i, labels("disk", "hdd")));
        }
        engineScenario.after(Duration.ofHours(2));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.heldBecause()).startsWith("label disk=ssd left 6 of 10 nodes in 1 s; ");
    }

    @Test
    void aRuleThatNamesAnotherLabelIsNotHeld() {
        EngineScenario engineScenario = EngineScenario.begin(
                        facts().node("n10", labels("cpu", "old"))
                                .node("n11", labels("cpu", "new"))
                                .replicaSet("api", 1)
                                .pod("api", on("n10"), replicaOf("api"), nodeSelector("cpu", "new")),
                        enforcing())
                .replacingOn("n11");

        losing(engineScenario, 1, 6).afterSeconds(70);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.evicted()).containsExactly("api");
    }

    @Test
    void aLabelThatNoRuleNamesOpensNothing() {
        EngineScenario engineScenario = begin(enforcing());
        for (int i = 1; i <= NODES; i++) {
            engineScenario.happens(nodeChanged("n" + i, labels("disk", "ssd", "rev", "1")));
        }
        for (int i = 1; i <= NODES; i++) {
            engineScenario.happens(nodeChanged("n" + i, labels("disk", "ssd", "rev", "2")));
        }

        assertThat(engineScenario.afterSeconds(70).turns).isEmpty();
        // The planner remembers former states of nodes for five minutes.
        engineScenario.afterSeconds(300).happens(nodeChanged("n1", labels("disk", "ssd", "rev", "2")));
        assertThat(engineScenario.engine.remembered()).isZero();
    }

    @Test
    void aSpreadOverTheNodesThatThePodsOwnSelectorAllowsIsHeldForItsLabelToo() {
        EngineScenario engineScenario = EngineScenario.begin(
                facts().node("a", labels(ZONE, "a", "disk", "ssd"))
                        .node("b", labels(ZONE, "b", "disk", "ssd"))
                        .node("c", labels(ZONE, "c", "disk", "ssd"))
                        .replicaSet("api", 3)
                        .pod("api-1", api("a"))
                        .pod("api-2", api("a"))
                        .pod("api-3", api("a")),
                enforcing());

        losing(engineScenario, 1, 6).afterSeconds(70);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.events())
                .contains("Held api-1 LabelBreaker", "Held api-2 LabelBreaker", "Held api-3 LabelBreaker");
    }

    private static PodTrait api(String node) {
        return pod -> {
            on(node).of(pod);
            replicaOf("api").of(pod);
            nodeSelector("disk", "ssd").of(pod);
            spread(maxSkew(1, ZONE, app("api"))).of(pod);
        };
    }

    @Test
    void domainsThatAreTakenOffManyNodesHoldRulesOverThem() {
        ClusterBuilder facts = cluster();
        for (int i = 1; i <= 4; i++) {
            facts.node("n" + i, zone("a"));
        }
        EngineScenario engineScenario = EngineScenario.begin(
                facts.node("b", zone("b"))
                        .pod("cache", on("n1"), labels("app", "cache"))
                        .replicaSet("web", 1)
                        .pod("web", on("n2"), replicaOf("web"), near(term(app("cache"), ZONE))),
                enforcing());

        losing(engineScenario, 1, 3).afterSeconds(70);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.LABEL_BREAKER);
        assertThat(engineScenario.heldBecause()).startsWith("label " + ZONE + " left 3 of 5 nodes in 1 s; ");
    }

    @Test
    void itClosesByItselfWhenEnoughNodesHaveTheLabelAgain() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).afterSeconds(70);
        for (int i = 6; i >= 3; i--) {
            engineScenario.happens(nodeChanged("n" + i, ssd()));
        }
        engineScenario.afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "HEALED disk");
        assertThat(engineScenario.turns.getLast().id())
                .isEqualTo(engineScenario.turns.getFirst().id());
        assertThat(engineScenario.afterSeconds(598).evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.RESUMING);
        assertThat(engineScenario.afterSeconds(2).evicted()).containsExactly("web-1");
    }

    @Test
    void noPodIsMovedFromANodeThatGetsItsLabelBackAMomentAfterTheBreakerClosed() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).afterSeconds(70);
        for (int i = 6; i >= 1; i--) {
            engineScenario.happens(nodeChanged("n" + i, ssd())).afterSeconds(60);
        }

        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "HEALED disk");
        assertThat(engineScenario.after(Duration.ofHours(1)).reads).isEmpty();
    }

    @Test
    void itClosesByItselfWhenTheNodesWithoutTheLabelLeave() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 3).afterSeconds(70);

        engineScenario.happens(nodeGone("n1")).afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "HEALED disk");
    }

    @Test
    void itStaysOpenHoweverLongTheLabelIsAway() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 3).after(Duration.ofDays(3));

        engineScenario
                .happens(nodeChanged("n9", labels("disk", "ssd", "cpu", "new")))
                .after(Duration.ofHours(1));
        engineScenario.happens(nodeChanged("new", bare())).after(Duration.ofHours(1));

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void acknowledgedItClosesAndEvictionsBeginWithOneAndDoubleEveryTenMinutes() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 8).after(Duration.ofHours(2));
        String id = engineScenario.turns.getFirst().id();

        engineScenario.happens(acknowledged("another@1," + id)).afterSeconds(1);
        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "ACKNOWLEDGED disk");
        assertThat(engineScenario.evicted()).hasSize(1);
        assertThat(engineScenario.held()).isEqualTo(Reason.RESUMING);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("breaker " + id
                        + " closed at 2026-11-20T14:00:00Z, and evictions resume slowly: 1 of 1 evictions"
                        + " of these ten minutes were sent or are in progress; twice as many are allowed in the next");

        assertThat(engineScenario.afterSeconds(598).evicted()).hasSize(1);
        assertThat(engineScenario.afterSeconds(2).evicted()).hasSize(3);
        assertThat(engineScenario.afterSeconds(598).evicted()).hasSize(3);
        assertThat(engineScenario.afterSeconds(2).evicted()).hasSize(7);
        assertThat(engineScenario.afterSeconds(600).evicted()).hasSize(8);
    }

    @Test
    void aRuleOfAnotherLabelNeitherBeginsSlowlyNorCountsForTheOthers() {
        ClusterBuilder facts = facts().node("old", labels("cpu", "new")).node("new", labels("cpu", "new"));
        for (int i = 1; i <= 2; i++) {
            facts.replicaSet("api-" + i, 1)
                    .pod("api-" + i, on("old"), replicaOf("api-" + i), nodeSelector("cpu", "new"));
        }
        EngineScenario engineScenario = losing(
                        EngineScenario.begin(
                                        EngineScenario.settingsWithout(Set.of(Reason.SLOW_START)), facts, enforcing())
                                .replacingOn("new"),
                        1,
                        3)
                .happens(nodeChanged("old", labels("cpu", "old")))
                .afterSeconds(59);

        engineScenario
                .happens(acknowledged(engineScenario.turns.getFirst().id()))
                .afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactlyInAnyOrder("api-1", "api-2", "web-1");
        assertThat(engineScenario.held()).isEqualTo(Reason.RESUMING);
    }

    @Test
    void withoutTheSlowBeginningAllWouldGoAsFastAsTheLimitsLetThem() {
        EngineScenario engineScenario = EngineScenario.begin(
                        EngineScenario.settingsWithout(Set.of(Reason.RESUMING)), facts(), enforcing())
                .replacingOn("spare");
        losing(engineScenario, 1, 8).afterSeconds(70);

        engineScenario
                .happens(acknowledged(engineScenario.turns.getFirst().id()))
                .afterSeconds(5);

        assertThat(engineScenario.evicted()).hasSize(8);
    }

    @Test
    void anIdThatIsNotThisOnesChangesNothing() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).afterSeconds(70);

        engineScenario.happens(acknowledged("disk,disk@1")).afterSeconds(70);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void anIdThatIsNobodysIsAnsweredOnceWithThoseThatThereAre() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).afterSeconds(70);

        engineScenario.happens(acknowledged("disk@1")).afterSeconds(70);
        engineScenario.happens(acknowledged("disk@1")).afterSeconds(70);

        assertThat(engineScenario.unknown)
                .containsExactly(new UnknownAcknowledgement(
                        Optional.empty(),
                        "nothing is held under disk@1, which was acknowledged; open now: "
                                + engineScenario.turns.getFirst().id()));
    }

    @Test
    void whatWasAcknowledgedIsNotAnsweredWhenItStillStandsThere() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 3).afterSeconds(70);
        String id = engineScenario.turns.getFirst().id();
        engineScenario.happens(acknowledged(id)).afterSeconds(30);

        losing(engineScenario.happens(acknowledged(id)), 6, 8).afterSeconds(30);

        assertThat(engineScenario.unknown).isEmpty();
    }

    @Test
    void whatWasAcknowledgedBeforeTheStartWasMeantForAnotherRun() {
        EngineScenario engineScenario = EngineScenario.begin(facts().with(acknowledged("disk@1")), enforcing());

        losing(engineScenario, 1, 6).afterSeconds(70);

        assertThat(engineScenario.unknown).isEmpty();
    }

    @Test
    void onceAcknowledgedOnlyFurtherLossesCountAndTheyHaveAnotherId() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 3).afterSeconds(70);
        String id = engineScenario.turns.getFirst().id();
        engineScenario.happens(acknowledged(id)).afterSeconds(30);

        losing(engineScenario, 4, 5).afterSeconds(30);
        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "ACKNOWLEDGED disk");
        losing(engineScenario, 6, 6).afterSeconds(30);

        assertThat(turns(engineScenario)).containsExactly("OPENED disk", "ACKNOWLEDGED disk", "OPENED disk");
        assertThat(engineScenario.turns.getLast().id()).startsWith("disk@").isNotEqualTo(id);
    }

    @Test
    void labelsThatGoWhileAPodIsReadKeepEvenTheDryRunFromBeingSent() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 1)
                .duringReads(
                        new Event.ObjectChanged(nodeChanged("n2", bare())),
                        new Event.ObjectChanged(nodeChanged("n3", bare())))
                .afterSeconds(60);

        assertThat(engineScenario.reads).hasSize(1);
        assertThat(engineScenario.dryRuns).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.LABEL_BREAKER);
    }

    @Test
    void labelsThatGoDuringTheDryRunKeepTheRealRequestFromBeingSent() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 1)
                .duringDryRun(
                        new Event.ObjectChanged(nodeChanged("n2", bare())),
                        new Event.ObjectChanged(nodeChanged("n3", bare())))
                .afterSeconds(60);

        assertThat(engineScenario.dryRuns).hasSize(1);
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.LABEL_BREAKER);
    }

    @Test
    void aLabelThatIsMissingAfterATimeWithoutSightIsLostLikeAnyOther() {
        EngineScenario engineScenario = begin(enforcing()).loses(View.NODES).after(Duration.ofMinutes(10));

        losing(engineScenario, 1, 6).event(new Event.ViewSynced(View.NODES)).after(Duration.ofHours(1));

        assertThat(turns(engineScenario)).containsExactly("OPENED disk");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void whatIsMissingWhenTheOperatorStartsWasNeverThere() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("spare", ssd())
                                .node("n1", bare())
                                .node("n2", bare())
                                .node("n3", bare())
                                .replicaSet("web-1", 1)
                                .pod("web-1", on("n1"), replicaOf("web-1"), nodeSelector("disk", "ssd")),
                        enforcing())
                .afterSeconds(60);

        assertThat(engineScenario.turns).isEmpty();
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void wherePoliciesOnlyAuditItIsShownToo() {
        EngineScenario engineScenario = losing(begin(auditing()), 1, 6).afterSeconds(70);

        assertThat(Set.copyOf(engineScenario.holds())).containsExactly(Reason.LABEL_BREAKER);
    }

    @Test
    void whatComesBackOrIsOverIsForgotten() {
        EngineScenario engineScenario = losing(begin(enforcing()), 1, 6).afterSeconds(30);
        for (int i = 1; i <= 6; i++) {
            engineScenario.happens(nodeChanged("n" + i, ssd()));
        }
        engineScenario.after(Duration.ofHours(26)).happens(nodeChanged("n1", ssd()));

        assertThat(engineScenario.engine.remembered()).isZero();
    }
}
